/** The part of pngjs that the tests use. The package has no types. */
declare module 'pngjs' {
  export const PNG: {
    readonly sync: {
      read(png: Uint8Array): { readonly width: number; readonly height: number; readonly data: Uint8Array }
    }
  }
}
