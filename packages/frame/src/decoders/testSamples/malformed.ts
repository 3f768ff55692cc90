// Samples with calldata that no ABI encoder would produce, and with selectors that several functions share.

import { concat, encodeAbiParameters, type Hex, pad, size, slice, toFunctionSelector, toHex } from 'viem'
import { apes, attacker, call, friend, maxUint256, me, opaque, rawCall, shapes, transaction, usdc } from './encode.ts'
import type { TransactionSample } from './sample.ts'

const transfer = 'function transfer(address to, uint256 value)'
const approve = 'function approve(address spender, uint256 value)'
const transferFrom = 'function transferFrom(address from, address to, uint256 value)'

const abi = 'Solidity ABI, "Formal Specification of the Encoding"'
const strict = 'Solidity ABI, "Strict Encoding Mode": decoders need not enforce it'

const word = (value: bigint): Hex => toHex(value, { size: 32 })
const dirty = (address: Hex): Hex => `0xdeadbeefdeadbeefdeadbeef${address.slice(2)}`
const transferData = call(usdc, transfer, [friend, 25_000_000n]).data
const selector = (signature: string): Hex => toFunctionSelector(signature)
const erc1155Batch = selector('safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)')
const erc721Safe = selector('safeTransferFrom(address,address,uint256,bytes)')

/** The samples with malformed calldata and shared selectors. */
export const malformedSamples: readonly TransactionSample[] = [
  transaction({
    id: 'malformed-short',
    source: `${abi}: each head is 32 bytes; fewer than four bytes reach the fallback function`,
    adversarial:
      'The amount lacks a byte, so that old contracts shift it. The approval lacks an amount, so that it looks like 0.',
    calls: [
      rawCall(usdc, slice(transferData, 0, size(transferData) - 1)),
      rawCall(usdc, concat([selector('approve(address,uint256)'), pad(attacker)])),
      rawCall(usdc, selector('transfer(address,uint256)')),
      rawCall(usdc, '0xa9059c'),
    ],
    expect: {
      effects: [{ kind: 'unknown' }, { kind: 'unknown' }, { kind: 'unknown' }, { kind: 'unknown' }],
      canBeUnknown: true,
      never: ['sendToken', 'revokeToken', 'allowToken', 'message'],
    },
  }),
  transaction({
    id: 'malformed-batch-offsets-and-lengths',
    source: `${abi}: offsets are measured from the start of the arguments, an array begins with its length`,
    adversarial: 'Lists outside the calldata look empty, and a length of 2^256-1 wraps or makes the decoder hang.',
    calls: [
      rawCall(
        shapes,
        concat([erc1155Batch, pad(me), pad(attacker), word(2n ** 64n), word(2n ** 64n), word(2n ** 64n)]),
      ),
      rawCall(
        shapes,
        concat([
          erc1155Batch,
          pad(me),
          pad(attacker),
          word(160n),
          word(192n),
          word(224n),
          word(maxUint256),
          word(maxUint256),
          word(0n),
        ]),
      ),
    ],
    expect: {
      effects: [{ kind: 'unknown' }, { kind: 'unknown' }],
      canBeUnknown: true,
      never: ['sendItems', 'sendItem', 'message'],
    },
  }),
  transaction({
    id: 'malformed-transfer-trailing-bytes',
    source: strict,
    adversarial: 'A second transfer follows the first, where a decoder that starts at the end finds it.',
    calls: [rawCall(usdc, concat([transferData, pad(attacker), word(1n)]))],
    expect: {
      effects: [{ kind: 'sendToken', token: usdc, from: me, to: friend, amount: 25_000_000n }],
      canBeUnknown: true,
    },
  }),
  transaction({
    id: 'malformed-approve-dirty-address',
    source: `${strict}; ABI coder v1 ignores the upper bytes, v2 reverts`,
    adversarial: 'The spender has dirty upper bytes, so that it is not found in lists of known addresses.',
    calls: [rawCall(usdc, concat([selector('approve(address,uint256)'), dirty(attacker), word(maxUint256)]))],
    expect: {
      effects: [{ kind: 'allowToken', token: usdc, spender: attacker, amount: 'unlimited' }],
      canBeUnknown: true,
      never: ['revokeToken'],
    },
  }),
  transaction({
    id: 'malformed-item-approval-dirty-zero',
    source: `${strict}; ABI coder v1 ignores the upper bytes, v2 reverts`,
    adversarial: 'The zero address has dirty upper bytes, so that it is unclear whether anyone is approved.',
    calls: [rawCall(apes, concat([selector('approve(address,uint256)'), `0x01${'00'.repeat(31)}`, word(5n)]))],
    expect: {
      effects: [{ kind: 'revokeItem', token: apes, id: 5n }],
      canBeUnknown: true,
      never: ['allowItem', 'allowToken', 'revokeToken'],
    },
  }),
  transaction({
    id: 'malformed-operator-bool-two',
    source: `${strict}; a bool is 0 or 1, and ABI coder v1 treats any other value as true`,
    adversarial: 'A bool that is neither true nor false looks like a revocation.',
    calls: [rawCall(apes, concat([selector('setApprovalForAll(address,bool)'), pad(attacker), word(2n)]))],
    expect: {
      effects: [{ kind: 'allowAll', token: apes, operator: attacker }],
      canBeUnknown: true,
      never: ['revokeAll'],
    },
  }),
  transaction({
    id: 'malformed-batch-shared-array',
    source: `${strict}: two heads may point to the same tail`,
    adversarial: 'The IDs and counts are the same list, so that a decoder that reads on finds no counts.',
    calls: [
      rawCall(
        shapes,
        concat([
          erc1155Batch,
          pad(me),
          pad(attacker),
          word(160n),
          word(160n),
          word(256n),
          word(2n),
          word(5n),
          word(7n),
          word(0n),
        ]),
      ),
    ],
    expect: {
      effects: [
        {
          kind: 'sendItems',
          token: shapes,
          from: me,
          to: attacker,
          items: [
            { id: 5n, count: 5n },
            { id: 7n, count: 7n },
          ],
        },
      ],
      canBeUnknown: true,
    },
  }),
  transaction({
    id: 'malformed-item-data-offset-overflows',
    source: `${strict}; EIP-721: additional data with no specified format`,
    adversarial: 'The offset of the data overflows, so that a strict decoder gives up and shows nothing.',
    calls: [
      rawCall(
        apes,
        concat([
          erc721Safe,
          encodeAbiParameters([{ type: 'address' }, { type: 'address' }], [me, attacker]),
          word(0n),
          word(maxUint256),
        ]),
      ),
    ],
    expect: {
      effects: [{ kind: 'sendItem', token: apes, from: me, to: attacker, id: 0n, count: 1n }],
      canBeUnknown: true,
      never: ['revokeItem', 'sendToken', 'message'],
    },
  }),
  transaction({
    id: 'collision-transfer-under-another-name',
    source: 'EIP-20, "transfer"; many_msg_babbage(bytes1) has the selector 0xa9059cbb, too',
    adversarial: 'A list of selectors contains a harmless name for the same four bytes.',
    calls: [call(usdc, transfer, [attacker, 10n ** 12n])],
    expect: {
      effects: [{ kind: 'sendToken', token: usdc, from: me, to: attacker, amount: 10n ** 12n }],
      canBeUnknown: false,
    },
  }),
  transaction({
    id: 'collision-transferFrom-under-another-name',
    source: 'EIP-721, "transferFrom"; gasprice_bit_ether(int128) has the selector 0x23b872dd, too',
    adversarial: 'A list of selectors contains a harmless name for the same four bytes.',
    calls: [call(apes, transferFrom, [me, attacker, 1n])],
    expect: {
      effects: [{ kind: 'sendItem', token: apes, from: me, to: attacker, id: 1n, count: 1n }],
      canBeUnknown: false,
    },
  }),
  transaction({
    id: 'collision-approve-under-another-name',
    source: 'EIP-20, "approve"; sign_szabo_bytecode(bytes16,uint128) has the selector 0x095ea7b3, too',
    adversarial: 'A list of selectors contains a name that sounds like signing.',
    calls: [call(usdc, approve, [attacker, 10n ** 12n])],
    expect: {
      effects: [{ kind: 'allowToken', token: usdc, spender: attacker, amount: 10n ** 12n }],
      canBeUnknown: false,
      never: ['signIn', 'message'],
    },
  }),
  transaction({
    id: 'collision-harmless-function-of-unknown-contract',
    source: 'Solidity ABI, "Function Selector": four bytes do not identify a function',
    adversarial: 'A contract that follows no standard has a function that only shares the selector of approve.',
    calls: [
      call(opaque, 'function sign_szabo_bytecode(bytes16 a, uint128 b)', ['0x00112233445566778899aabbccddeeff', 0n]),
    ],
    expect: { effects: [{ kind: 'unknown' }], canBeUnknown: true, never: ['revokeToken', 'revokeItem', 'message'] },
  }),
  transaction({
    id: 'malformed-upper-case-is-the-same',
    source: 'EIP-1474, "Data": hexadecimal digits, in either case',
    calls: [rawCall(usdc, `0x${transferData.slice(2).toUpperCase()}`)],
    expect: {
      effects: [{ kind: 'sendToken', token: usdc, from: me, to: friend, amount: 25_000_000n }],
      canBeUnknown: false,
    },
  }),
]
