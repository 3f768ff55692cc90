// ERC-721 calls, as specified in EIP-721.

import {
  apes,
  attacker,
  call,
  erc721Transfer,
  exchange,
  friend,
  maxUint256,
  me,
  opaque,
  stranger,
  transaction,
  usdc,
  zero,
} from './encode.ts'
import type { Effect, SampleCall, TransactionSample } from './sample.ts'

const transferFrom = 'function transferFrom(address _from, address _to, uint256 _tokenId) payable'
const safeTransferFrom = 'function safeTransferFrom(address _from, address _to, uint256 _tokenId) payable'
const safeTransferFromData =
  'function safeTransferFrom(address _from, address _to, uint256 _tokenId, bytes data) payable'
const approve = 'function approve(address _approved, uint256 _tokenId) payable'
const setApprovalForAll = 'function setApprovalForAll(address _operator, bool _approved)'
const burn = 'function burn(uint256 tokenId)'

const eipTransferFrom = 'EIP-721, Specification, "transferFrom": transfer ownership of an NFT'
const eipSafe = 'EIP-721, Specification, "safeTransferFrom"'
const eipApprove = 'EIP-721, Specification, "approve": change or reaffirm the approved address for an NFT'
const eipApproveZero = `${eipApprove}; the zero address indicates there is no approved address`
const eipAll = 'EIP-721, Specification, "setApprovalForAll": manage all of msg.sender\'s assets'
const dead = '0x000000000000000000000000000000000000dead'

const send = (id: bigint, from = me, to = friend): Effect => ({
  kind: 'sendItem',
  token: apes,
  from,
  to,
  id,
  count: 1n,
})

/** Creates a sample for a call whose effect the standard defines. */
const settled = (
  id: string,
  source: string,
  sampleCall: SampleCall,
  effect: Effect,
  more: Partial<TransactionSample> & { readonly never?: readonly Effect['kind'][] } = {},
): TransactionSample => {
  const { never, ...rest } = more
  const expect = { effects: [effect], canBeUnknown: false, ...(never ? { never } : {}) }
  return transaction({ id, source, calls: [sampleCall], expect, ...rest })
}

/** The samples for ERC-721 calls. */
export const erc721Samples: readonly TransactionSample[] = [
  transaction({
    id: 'erc721-transferFrom',
    source: eipTransferFrom,
    calls: [call(apes, transferFrom, [me, friend, 4711n])],
    simulation: [erc721Transfer(apes, me, friend, 4711n)],
    expect: {
      effects: [send(4711n)],
      canBeUnknown: false,
      never: ['sendToken'],
      changes: [{ kind: 'item', token: apes, id: 4711n, count: -1n }],
    },
  }),
  settled('erc721-transferFrom-unsimulated', eipTransferFrom, call(apes, transferFrom, [me, friend, 12n]), send(12n)),
  transaction({
    id: 'erc721-transferFrom-id-zero',
    source: eipTransferFrom,
    adversarial: 'Item 0 looks like an amount of 0, as if nothing were transferred.',
    calls: [call(apes, transferFrom, [me, attacker, 0n])],
    simulation: [erc721Transfer(apes, me, attacker, 0n)],
    expect: {
      effects: [send(0n, me, attacker)],
      canBeUnknown: false,
      never: ['sendToken'],
      changes: [{ kind: 'item', token: apes, id: 0n, count: -1n }],
    },
  }),
  settled(
    'erc721-transferFrom-id-zero-unsimulated',
    eipTransferFrom,
    call(apes, transferFrom, [me, attacker, 0n]),
    send(0n, me, attacker),
    {
      adversarial: 'Item 0 looks like an amount of 0, and there is no simulation to show the transfer.',
      never: ['sendToken'],
    },
  ),
  settled(
    'erc721-transferFrom-id-max',
    eipTransferFrom,
    call(apes, transferFrom, [me, friend, maxUint256]),
    send(maxUint256),
    { never: ['sendToken', 'allowToken'] },
  ),
  transaction({
    id: 'erc721-transferFrom-to-me',
    source: eipTransferFrom,
    calls: [call(apes, transferFrom, [stranger, me, 8n])],
    simulation: [erc721Transfer(apes, stranger, me, 8n)],
    expect: {
      effects: [send(8n, stranger, me)],
      canBeUnknown: false,
      changes: [{ kind: 'item', token: apes, id: 8n, count: 1n }],
    },
  }),
  transaction({
    id: 'erc721-transferFrom-between-others',
    source: eipTransferFrom,
    calls: [call(apes, transferFrom, [stranger, friend, 8n])],
    simulation: [erc721Transfer(apes, stranger, friend, 8n)],
    expect: { effects: [send(8n, stranger, friend)], canBeUnknown: false, changes: [] },
  }),
  transaction({
    id: 'erc721-transferFrom-to-self',
    source: eipTransferFrom,
    calls: [call(apes, transferFrom, [me, me, 8n])],
    simulation: [erc721Transfer(apes, me, me, 8n)],
    expect: { effects: [send(8n, me, me)], canBeUnknown: false, changes: [] },
  }),
  transaction({
    id: 'erc721-burn-by-transfer',
    source: eipTransferFrom,
    adversarial: 'A transfer to a burn address looks as if nothing were transferred.',
    calls: [call(apes, transferFrom, [me, dead, 99n])],
    simulation: [erc721Transfer(apes, me, dead, 99n)],
    expect: {
      effects: [send(99n, me, dead)],
      canBeUnknown: false,
      changes: [{ kind: 'item', token: apes, id: 99n, count: -1n }],
    },
  }),
  settled(
    'erc721-transferFrom-to-zero',
    `${eipTransferFrom}; throws if _to is the zero address`,
    call(apes, transferFrom, [me, zero, 5n]),
    send(5n, me, zero),
    { simulation: 'reverts' },
  ),
  transaction({
    id: 'erc721-burn',
    source: 'OpenZeppelin Contracts, ERC721Burnable, "burn"; EIP-721, Transfer event: _to is zero when destroyed',
    adversarial: 'Burning an item looks like a call without effect.',
    calls: [call(apes, burn, [99n])],
    simulation: [erc721Transfer(apes, me, zero, 99n)],
    expect: {
      effects: [{ kind: 'unknown' }],
      canBeUnknown: true,
      changes: [{ kind: 'item', token: apes, id: 99n, count: -1n }],
    },
  }),
  settled('erc721-safeTransferFrom', eipSafe, call(apes, safeTransferFrom, [me, friend, 1n]), send(1n)),
  settled(
    'erc721-safeTransferFrom-id-zero',
    eipSafe,
    call(apes, safeTransferFrom, [me, attacker, 0n]),
    send(0n, me, attacker),
    { adversarial: 'Item 0 looks like nothing.', never: ['sendToken'] },
  ),
  settled(
    'erc721-safeTransferFrom-from-stranger',
    eipSafe,
    call(apes, safeTransferFrom, [stranger, me, 77n]),
    send(77n, stranger, me),
  ),
  settled(
    'erc721-safeTransferFrom-data-empty',
    eipSafe,
    call(apes, safeTransferFromData, [me, friend, 2n, '0x']),
    send(2n),
  ),
  settled(
    'erc721-safeTransferFrom-data',
    `${eipSafe}: additional data with no specified format`,
    call(apes, safeTransferFromData, [
      me,
      exchange,
      2n,
      '0x00000000000000000000000000000000000000000000000000000001a2b3',
    ]),
    send(2n, me, exchange),
  ),
  settled(
    'erc721-safeTransferFrom-data-that-looks-like-a-call',
    `${eipSafe}: additional data with no specified format`,
    call(apes, safeTransferFromData, [me, attacker, 2n, call(apes, setApprovalForAll, [exchange, false]).data]),
    send(2n, me, attacker),
    {
      adversarial: 'The data contains a second call that revokes a permission, and the screen shows that call.',
      never: ['revokeAll'],
    },
  ),
  settled(
    'erc721-safeTransferFrom-with-coin',
    `${eipSafe} is payable`,
    call(apes, safeTransferFrom, [me, friend, 1n], 10n ** 18n),
    send(1n),
    { expect: { effects: [send(1n)], canBeUnknown: false, value: 10n ** 18n } },
  ),
  settled('erc721-approve', eipApprove, call(apes, approve, [exchange, 33n]), {
    kind: 'allowItem',
    token: apes,
    spender: exchange,
    id: 33n,
  }),
  settled(
    'erc721-approve-id-zero',
    eipApprove,
    call(apes, approve, [attacker, 0n]),
    { kind: 'allowItem', token: apes, spender: attacker, id: 0n },
    {
      adversarial: 'An approval for item 0 looks like an allowance of 0, which would be a revocation.',
      never: ['revokeToken', 'revokeItem', 'revokeAll', 'allowToken'],
    },
  ),
  transaction({
    id: 'erc721-approve-id-zero-simulated',
    source: eipApprove,
    adversarial: 'The simulation contains only an Approval event, so that the screen says "nothing comes or goes".',
    calls: [call(apes, approve, [attacker, 0n])],
    simulation: [],
    expect: {
      effects: [{ kind: 'allowItem', token: apes, spender: attacker, id: 0n }],
      canBeUnknown: false,
      never: ['revokeToken', 'revokeItem'],
      changes: [],
    },
  }),
  settled(
    'erc721-approve-id-max',
    eipApprove,
    call(apes, approve, [exchange, maxUint256]),
    { kind: 'allowItem', token: apes, spender: exchange, id: maxUint256 },
    { never: ['allowToken', 'allowAll'] },
  ),
  settled('erc721-approve-nobody', eipApproveZero, call(apes, approve, [zero, 33n]), {
    kind: 'revokeItem',
    token: apes,
    id: 33n,
  }),
  settled(
    'erc721-approve-nobody-id-zero',
    eipApproveZero,
    call(apes, approve, [zero, 0n]),
    { kind: 'revokeItem', token: apes, id: 0n },
    { never: ['allowItem', 'allowToken'] },
  ),
  settled('erc721-setApprovalForAll', eipAll, call(apes, setApprovalForAll, [exchange, true]), {
    kind: 'allowAll',
    token: apes,
    operator: exchange,
  }),
  settled(
    'erc721-setApprovalForAll-person',
    eipAll,
    call(apes, setApprovalForAll, [attacker, true]),
    { kind: 'allowAll', token: apes, operator: attacker },
    {
      adversarial: 'The operator is a person, and the call looks like the approval of a single item.',
      never: ['allowItem'],
    },
  ),
  settled('erc721-setApprovalForAll-off', eipAll, call(apes, setApprovalForAll, [exchange, false]), {
    kind: 'revokeAll',
    token: apes,
    spender: exchange,
  }),
  settled(
    'erc721-name-says-token',
    `${eipApprove}; name and symbol are any strings`,
    call(apes, approve, [attacker, 1_000_000n]),
    { kind: 'allowItem', token: apes, spender: attacker, id: 1_000_000n },
    {
      adversarial: 'The collection calls itself USDC and has 6 decimals, so that item 1000000 looks like 1 USDC.',
      contracts: { [apes]: { kind: 'erc721', name: 'USD Coin', symbol: 'USDC', decimals: 6 } },
      never: ['allowToken'],
    },
  ),
  settled(
    'erc721-with-decimals-transferFrom',
    `${eipTransferFrom}; ERC-165 identifies the standard, decimals() does not`,
    call(apes, transferFrom, [me, attacker, 10n ** 18n]),
    send(10n ** 18n, me, attacker),
    {
      adversarial:
        'A collection that implements decimals() looks like a token, and item 10^18 looks like an amount of 1.',
      contracts: { [apes]: { kind: 'erc721', name: 'Token', symbol: 'TKN', decimals: 18 } },
      never: ['sendToken'],
    },
  ),
  settled(
    'erc721-without-metadata',
    'EIP-721: the metadata extension is OPTIONAL',
    call(apes, safeTransferFrom, [me, friend, 3n]),
    send(3n),
    { contracts: { [apes]: { kind: 'erc721' } } },
  ),
  transaction({
    id: 'erc721-setApprovalForAll-unknown-contract',
    source: `${eipAll}; EIP-165 support is denied`,
    adversarial: 'The contract hides its kind, so that permission for everything looks harmless.',
    calls: [call(opaque, setApprovalForAll, [attacker, true])],
    expect: {
      effects: [{ kind: 'allowAll', token: opaque, operator: attacker }],
      canBeUnknown: true,
      never: ['revokeAll', 'message'],
    },
  }),
  transaction({
    id: 'erc721-safeTransferFrom-at-erc20',
    source: 'EIP-20, Specification: safeTransferFrom is not one of its functions',
    adversarial: 'A token amount looks like the ID of an item.',
    calls: [call(usdc, safeTransferFrom, [me, attacker, 5_000_000n])],
    expect: { effects: [{ kind: 'unknown' }], canBeUnknown: true, never: ['sendItem'] },
  }),
]
