/** Whether this browser supports JSON serialization for WebAuthn. Users of older browsers must log in by a different method. */
export function supportsPasskeys(window: object): boolean {
  const { PublicKeyCredential: credentialApi } = window as { readonly PublicKeyCredential?: typeof PublicKeyCredential }
  return typeof credentialApi?.parseRequestOptionsFromJSON === 'function'
}
