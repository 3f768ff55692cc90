// The parts of Next that the recipes use. Next is not installed here.
declare module 'next/headers' {
  export function headers(): Promise<Headers>
}
declare module 'next/server' {
  export function connection(): Promise<void>
}
declare module 'next/navigation' {
  export function useRouter(): { refresh(): void }
}
