import type { BaseReply } from './messages.ts';

/** Which data of a base a reply was read from. */
export interface DataVersion {
  /** Differs between any two states of any files. */
  readonly state: string;
  /** `12-9f3a04c1`: the same in every copy of a file, and after a restart; never that of other data. */
  readonly name: string;
}

/** Null for a reply that does not name its data. */
export function dataVersionOf({ data_version, version }: BaseReply): DataVersion | null {
  return data_version === undefined || version === undefined ? null : { state: data_version, name: version };
}
