/** As much of pngjs as the tests use; it brings no types. */
declare module 'pngjs' {
  export const PNG: {
    readonly sync: {
      read(png: Uint8Array): { readonly width: number; readonly height: number; readonly data: Uint8Array }
    }
  }
}
