import { loadOnce } from '@latchkey/protocol/loadOnce'

/**
 * Returns a part of the chain API that is loaded when one of its methods is called for the first time.
 *
 * @param methods The names of all methods of the part.
 *
 * @example
 * lazyService(async () => (await import('./prices.ts')).createPriceReader(dependencies), ['prices'])
 */
export function lazyService<
  Name extends string,
  Part extends Readonly<Record<Name, (...args: never[]) => Promise<unknown>>>,
>(load: () => Promise<Part>, methods: readonly (Name & keyof Part)[]): Pick<Part, Name> {
  const loaded = loadOnce(load)
  const entries = methods.map((name) => [name, async (...args: never[]) => (await loaded())[name](...args)])
  return Object.fromEntries(entries) as Pick<Part, Name>
}
