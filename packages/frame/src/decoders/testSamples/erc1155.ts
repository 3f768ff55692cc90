// ERC-1155 calls, as specified in EIP-1155.

import {
  attacker,
  call,
  exchange,
  friend,
  maxUint256,
  me,
  shapes,
  stranger,
  transaction,
  transferBatch,
  transferSingle,
  zero,
} from './encode.ts'
import type { Effect, SampleCall, TransactionSample } from './sample.ts'

const safeTransferFrom =
  'function safeTransferFrom(address _from, address _to, uint256 _id, uint256 _value, bytes _data)'
const safeBatchTransferFrom =
  'function safeBatchTransferFrom(address _from, address _to, uint256[] _ids, uint256[] _values, bytes _data)'
const setApprovalForAll = 'function setApprovalForAll(address _operator, bool _approved)'

const eipSafe = 'EIP-1155, Specification, "safeTransferFrom": transfers _value amount of an _id'
const eipBatch = 'EIP-1155, Specification, "safeBatchTransferFrom"'
const eipAll = 'EIP-1155, Specification, "setApprovalForAll": manage all of the caller\'s tokens'

const item = (id: bigint, count: bigint, from = me, to = friend): Effect => ({
  kind: 'sendItem',
  token: shapes,
  from,
  to,
  id,
  count,
})
const several = (items: readonly (readonly [bigint, bigint])[], from = me, to = friend): Effect => ({
  kind: 'sendItems',
  token: shapes,
  from,
  to,
  items: items.map(([id, count]) => ({ id, count })),
})
const batch = (items: readonly (readonly [bigint, bigint])[], from = me, to = friend): SampleCall =>
  call(shapes, safeBatchTransferFrom, [from, to, items.map(([id]) => id), items.map(([, count]) => count), '0x'])

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

/** The samples for ERC-1155 calls. */
export const erc1155Samples: readonly TransactionSample[] = [
  transaction({
    id: 'erc1155-safeTransferFrom',
    source: eipSafe,
    calls: [call(shapes, safeTransferFrom, [me, friend, 7n, 3n, '0x'])],
    simulation: [transferSingle(shapes, me, friend, 7n, 3n)],
    expect: {
      effects: [item(7n, 3n)],
      canBeUnknown: false,
      changes: [{ kind: 'item', token: shapes, id: 7n, count: -3n }],
    },
  }),
  settled(
    'erc1155-safeTransferFrom-id-zero',
    eipSafe,
    call(shapes, safeTransferFrom, [me, attacker, 0n, 100n, '0x']),
    item(0n, 100n, me, attacker),
    { adversarial: 'An ID of 0 looks like an amount of 0.', never: ['sendToken'] },
  ),
  settled(
    'erc1155-safeTransferFrom-count-zero',
    eipSafe,
    call(shapes, safeTransferFrom, [me, friend, 7n, 0n, '0x']),
    item(7n, 0n),
  ),
  settled(
    'erc1155-safeTransferFrom-count-max',
    eipSafe,
    call(shapes, safeTransferFrom, [me, friend, 7n, maxUint256, '0x']),
    item(7n, maxUint256),
    { simulation: 'reverts' },
  ),
  settled(
    'erc1155-safeTransferFrom-id-max',
    eipSafe,
    call(shapes, safeTransferFrom, [me, friend, maxUint256, 1n, '0x']),
    item(maxUint256, 1n),
  ),
  settled(
    'erc1155-safeTransferFrom-id-and-count-differ',
    eipSafe,
    call(shapes, safeTransferFrom, [me, attacker, 1n, 10_000n, '0x']),
    item(1n, 10_000n, me, attacker),
    { adversarial: 'Ten thousand units of ID 1 look like one unit of ID 10000.' },
  ),
  settled(
    'erc1155-safeTransferFrom-data',
    `${eipSafe}: additional data with no specified format`,
    call(shapes, safeTransferFrom, [me, exchange, 7n, 1n, '0xdeadbeef']),
    item(7n, 1n, me, exchange),
  ),
  settled(
    'erc1155-safeTransferFrom-data-that-looks-like-a-call',
    `${eipSafe}: additional data with no specified format`,
    call(shapes, safeTransferFrom, [me, attacker, 7n, 1n, call(shapes, setApprovalForAll, [attacker, false]).data]),
    item(7n, 1n, me, attacker),
    { adversarial: 'The data contains a call that revokes permissions.', never: ['revokeAll'] },
  ),
  transaction({
    id: 'erc1155-safeTransferFrom-to-me',
    source: `${eipSafe}: _from is the source, not the caller`,
    calls: [call(shapes, safeTransferFrom, [stranger, me, 7n, 2n, '0x'])],
    simulation: [transferSingle(shapes, stranger, me, 7n, 2n)],
    expect: {
      effects: [item(7n, 2n, stranger, me)],
      canBeUnknown: false,
      changes: [{ kind: 'item', token: shapes, id: 7n, count: 2n }],
    },
  }),
  transaction({
    id: 'erc1155-safeTransferFrom-to-self',
    source: eipSafe,
    calls: [call(shapes, safeTransferFrom, [me, me, 7n, 2n, '0x'])],
    simulation: [transferSingle(shapes, me, me, 7n, 2n)],
    expect: { effects: [item(7n, 2n, me, me)], canBeUnknown: false, changes: [] },
  }),
  settled(
    'erc1155-safeTransferFrom-to-zero',
    `${eipSafe}; MUST revert if _to is the zero address`,
    call(shapes, safeTransferFrom, [me, zero, 7n, 2n, '0x']),
    item(7n, 2n, me, zero),
    { simulation: 'reverts' },
  ),
  transaction({
    id: 'erc1155-safeBatchTransferFrom',
    source: eipBatch,
    calls: [
      batch([
        [7n, 3n],
        [9n, 1n],
      ]),
    ],
    simulation: [transferBatch(shapes, me, friend, [7n, 9n], [3n, 1n])],
    expect: {
      effects: [
        several([
          [7n, 3n],
          [9n, 1n],
        ]),
      ],
      canBeUnknown: false,
      changes: [
        { kind: 'item', token: shapes, id: 7n, count: -3n },
        { kind: 'item', token: shapes, id: 9n, count: -1n },
      ],
    },
  }),
  transaction({
    id: 'erc1155-safeBatchTransferFrom-same-id-twice',
    source: eipBatch,
    adversarial: 'The batch contains the same ID twice, to get only the smaller count shown.',
    calls: [
      batch(
        [
          [7n, 1n],
          [7n, 500n],
        ],
        me,
        attacker,
      ),
    ],
    simulation: [transferBatch(shapes, me, attacker, [7n, 7n], [1n, 500n])],
    expect: {
      effects: [
        several(
          [
            [7n, 1n],
            [7n, 500n],
          ],
          me,
          attacker,
        ),
      ],
      canBeUnknown: false,
      changes: [{ kind: 'item', token: shapes, id: 7n, count: -501n }],
    },
  }),
  settled(
    'erc1155-safeBatchTransferFrom-one',
    eipBatch,
    batch([[0n, 1n]], me, attacker),
    several([[0n, 1n]], me, attacker),
    {
      adversarial: 'A batch of one item with ID 0 looks like an empty batch.',
    },
  ),
  settled(
    'erc1155-safeBatchTransferFrom-long',
    eipBatch,
    batch(
      Array.from({ length: 40 }, (_, at) => [BigInt(at), BigInt(at + 1)] as const),
      me,
      attacker,
    ),
    several(
      Array.from({ length: 40 }, (_, at) => [BigInt(at), BigInt(at + 1)] as const),
      me,
      attacker,
    ),
    { adversarial: 'The batch contains 40 IDs, in the hope that the screen shows only the first few.' },
  ),
  settled(
    'erc1155-safeBatchTransferFrom-zero-counts-first',
    eipBatch,
    batch(
      [
        [1n, 0n],
        [2n, 0n],
        [3n, 9n],
      ],
      me,
      attacker,
    ),
    several(
      [
        [1n, 0n],
        [2n, 0n],
        [3n, 9n],
      ],
      me,
      attacker,
    ),
    { adversarial: 'Leading counts of 0 hide the only count that matters.' },
  ),
  settled(
    'erc1155-safeBatchTransferFrom-from-stranger',
    eipBatch,
    batch(
      [
        [1n, 2n],
        [2n, 2n],
      ],
      stranger,
      me,
    ),
    several(
      [
        [1n, 2n],
        [2n, 2n],
      ],
      stranger,
      me,
    ),
  ),
  transaction({
    id: 'erc1155-safeBatchTransferFrom-empty',
    source: eipBatch,
    calls: [batch([])],
    expect: { effects: [several([])], canBeUnknown: true },
  }),
  transaction({
    id: 'erc1155-safeBatchTransferFrom-lengths-differ',
    source: `${eipBatch}: MUST revert if length of _ids is not the same as length of _values`,
    adversarial: 'IDs without counts make it look as if nothing is sent.',
    calls: [call(shapes, safeBatchTransferFrom, [me, attacker, [1n, 2n, 3n], [1n], '0x'])],
    expect: { effects: [{ kind: 'unknown' }], canBeUnknown: true, never: ['sendItems', 'sendItem', 'message'] },
  }),
  settled('erc1155-setApprovalForAll', eipAll, call(shapes, setApprovalForAll, [exchange, true]), {
    kind: 'allowAll',
    token: shapes,
    operator: exchange,
  }),
  settled('erc1155-setApprovalForAll-off', eipAll, call(shapes, setApprovalForAll, [exchange, false]), {
    kind: 'revokeAll',
    token: shapes,
    spender: exchange,
  }),
  settled(
    'erc1155-setApprovalForAll-zero-operator',
    eipAll,
    call(shapes, setApprovalForAll, [zero, true]),
    { kind: 'allowAll', token: shapes, operator: zero },
    { never: ['revokeAll'] },
  ),
  settled(
    'erc1155-setApprovalForAll-token-symbol',
    `${eipAll}; name and symbol are not part of EIP-1155`,
    call(shapes, setApprovalForAll, [attacker, true]),
    { kind: 'allowAll', token: shapes, operator: attacker },
    {
      adversarial: 'The name and symbol of the collection make the approval read like a revocation.',
      contracts: { [shapes]: { kind: 'erc1155', name: 'nothing (permission taken back)', symbol: 'REVOKED' } },
      never: ['revokeAll'],
    },
  ),
]
