/** Whether this browser speaks of passkeys as we do, in JSON; older ones have to come another way. */
export function knowsPasskeys(window: object): boolean {
  const { PublicKeyCredential: known } = window as { readonly PublicKeyCredential?: typeof PublicKeyCredential }
  return typeof known?.parseRequestOptionsFromJSON === 'function'
}
