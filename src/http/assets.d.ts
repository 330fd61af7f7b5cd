/** Imported `with { type: 'file' }`: the module is the path of the file, also inside a compiled binary. */
declare module 'swagger-ui-dist/*' {
  const path: string;
  export default path;
}
