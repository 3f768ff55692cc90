/** Whether this browser speaks of passkeys as we do, in JSON; older ones have to come another way. */
export function supportsPasskeys(window: object): boolean {
  const { PublicKeyCredential: credentialApi } = window as { readonly PublicKeyCredential?: typeof PublicKeyCredential }
  return typeof credentialApi?.parseRequestOptionsFromJSON === 'function'
}
