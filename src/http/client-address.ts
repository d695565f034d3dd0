import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';

/** Addresses whose limit key is cached: parsing an address costs more than the limit itself. */
const ADDRESSES_MAX = 10_000;

type Address = ReturnType<typeof ipaddr.process>;
type Range = [Address, number];

const IPV6_PREFIX_BITS = 64;

/**
 * Identifies clients for the per-IP limit: by the IPv4 address, or by the /64 of an IPv6 address, a customer's usual range.
 * `X-Forwarded-For` counts only from the configured proxies, and is read from the end, because the client may have written the
 * beginning.
 */
export class ClientAddress {
  readonly #trusted: readonly Range[];
  readonly #keys = new LRUCache<string, string>({ max: ADDRESSES_MAX, memoMethod: limitKey });

  /** @param trustedProxies addresses or CIDR ranges. */
  constructor(trustedProxies: readonly string[]) {
    this.#trusted = trustedProxies.map((text) => {
      if (text.includes('/')) return ipaddr.parseCIDR(text);
      const address = ipaddr.process(text);
      return [address, address.kind() === 'ipv4' ? 32 : 128];
    });
  }

  /** @param remote the address of the connection. @returns the key that the limit counts under. */
  keyOf(remote: string, forwardedFor: string | null): string {
    if (forwardedFor === null || !this.#isTrusted(remote)) return this.#keys.memo(remote);
    const hops = forwardedFor.split(',').map(addressIn);
    let client = remote;
    for (const hop of hops.toReversed()) {
      if (!ipaddr.isValid(hop)) break;
      client = hop;
      if (!this.#isTrusted(hop)) break;
    }
    return this.#keys.memo(client);
  }

  #isTrusted(text: string): boolean {
    if (this.#trusted.length === 0 || !ipaddr.isValid(text)) return false;
    const address = ipaddr.process(text);
    return this.#trusted.some(
      ([range, bits]) => address.kind() === range.kind() && address.match(range, bits),
    );
  }
}

/** Some proxies write the port too: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
const BRACKETED = /^\[(?<address>[^\]]*)\](?::\d{1,5})?$/u;
const WITH_PORT = /^(?<address>[\d.]+):\d{1,5}$/u;

function addressIn(hop: string): string {
  const text = hop.trim();
  return (BRACKETED.exec(text) ?? WITH_PORT.exec(text))?.groups?.['address'] ?? text;
}

function limitKey(text: string): string {
  // A closed connection has no address.
  if (!ipaddr.isValid(text)) return 'unknown';
  const address = ipaddr.process(text);
  if (address.kind() === 'ipv4') return address.toString();
  const network = ipaddr.IPv6.networkAddressFromCIDR(`${address.toNormalizedString()}/${IPV6_PREFIX_BITS}`);
  return `${network.toNormalizedString().replace(/%.*/u, '')}/${IPV6_PREFIX_BITS}`;
}
