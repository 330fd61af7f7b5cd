/** The files of prom-client that are used, each with its type from the package. */
declare module 'prom-client/lib/counter.js' {
  export { Counter as default } from 'prom-client';
}
declare module 'prom-client/lib/gauge.js' {
  export { Gauge as default } from 'prom-client';
}
declare module 'prom-client/lib/registry.js' {
  export { Registry as default } from 'prom-client';
}

/** Imported `with { type: 'text' }`: the module is the text of the file. */
declare module '*/tokens.css' {
  const text: string;
  export default text;
}

/** Imported `with { type: 'file' }`: the module is the path of the file, also inside a compiled binary. */
declare module 'swagger-ui-dist/*' {
  const path: string;
  export default path;
}
