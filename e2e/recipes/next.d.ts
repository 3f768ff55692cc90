// What the recipes use of Next, which is not installed here.
declare module 'next/headers' {
  export function headers(): Promise<Headers>
}
