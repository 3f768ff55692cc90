/** Whether this browser supports WebAuthn JSON serialization. Users of older browsers need another login method. */
export function supportsPasskeys(window: object): boolean {
  const { PublicKeyCredential: credentialApi } = window as { readonly PublicKeyCredential?: typeof PublicKeyCredential }
  return typeof credentialApi?.parseRequestOptionsFromJSON === 'function'
}
