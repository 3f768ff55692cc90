/** Whether this browser supports JSON serialization for WebAuthn. Users of older browsers must use a different login method. */
export function supportsPasskeys(window: object): boolean {
  const { PublicKeyCredential: credentialApi } = window as { readonly PublicKeyCredential?: typeof PublicKeyCredential }
  return typeof credentialApi?.parseRequestOptionsFromJSON === 'function'
}
