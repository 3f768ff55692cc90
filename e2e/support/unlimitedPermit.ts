/** Returns the typed data for an unlimited permit (ERC-2612) of the local environment's test token. */
export function unlimitedPermit({
  token,
  owner,
  spender,
}: {
  readonly token: string
  readonly owner: string
  readonly spender: string | undefined
}) {
  const field = (name: string, type: string) => ({ name, type })
  return {
    domain: { name: 'Test Dollar', version: '1', chainId: 31337, verifyingContract: token },
    primaryType: 'Permit',
    types: {
      EIP712Domain: [
        field('name', 'string'),
        field('version', 'string'),
        field('chainId', 'uint256'),
        field('verifyingContract', 'address'),
      ],
      Permit: [
        field('owner', 'address'),
        field('spender', 'address'),
        field('value', 'uint256'),
        field('nonce', 'uint256'),
        field('deadline', 'uint256'),
      ],
    },
    message: { owner, spender, value: (2n ** 256n - 1n).toString(), nonce: '0', deadline: '1900000000' },
  } as const
}
