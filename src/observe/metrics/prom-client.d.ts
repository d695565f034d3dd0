// By its parts, which have no types of their own: the package's own door loads what gathers from other processes and what
// pushes to other machines as well, 22 ms of every start.
declare module 'prom-client/lib/counter.js' {
  export { Counter as default } from 'prom-client';
}
declare module 'prom-client/lib/gauge.js' {
  export { Gauge as default } from 'prom-client';
}
declare module 'prom-client/lib/registry.js' {
  export { Registry as default } from 'prom-client';
}
