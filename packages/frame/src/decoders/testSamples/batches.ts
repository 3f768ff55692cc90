// EIP-5792 batches, which contain several calls in one approval, each with a separate effect.

import {
  apes,
  attacker,
  call,
  coinTransfer,
  dai,
  erc20Transfer,
  erc721Transfer,
  exchange,
  friend,
  maxUint256,
  me,
  opaque,
  rawCall,
  shapes,
  stranger,
  transaction,
  usdc,
  weth,
  zero,
} from './encode.ts'
import type { TransactionSample } from './sample.ts'

const transfer = 'function transfer(address to, uint256 value)'
const approve = 'function approve(address spender, uint256 value)'
const transferFrom = 'function transferFrom(address from, address to, uint256 value)'
const increase = 'function increaseAllowance(address spender, uint256 addedValue)'
const setApprovalForAll = 'function setApprovalForAll(address _operator, bool _approved)'
const safeTransferFrom =
  'function safeTransferFrom(address _from, address _to, uint256 _id, uint256 _value, bytes _data)'

const source = (rest: string) => `EIP-5792, "wallet_sendCalls": calls are executed in order; ${rest}`

/** The samples for batches of calls. */
export const batchSamples: readonly TransactionSample[] = [
  transaction({
    id: 'batch-approve-then-transfer',
    source: source('EIP-20'),
    calls: [call(usdc, approve, [exchange, 10_000_000n]), call(dai, transfer, [friend, 10n ** 18n])],
    simulation: [erc20Transfer(dai, me, friend, 10n ** 18n)],
    expect: {
      effects: [
        { kind: 'allowToken', token: usdc, spender: exchange, amount: 10_000_000n },
        { kind: 'sendToken', token: dai, from: me, to: friend, amount: 10n ** 18n },
      ],
      canBeUnknown: false,
      changes: [{ kind: 'token', token: dai, amount: -(10n ** 18n) }],
    },
  }),
  transaction({
    id: 'batch-revoke-then-allow-everything',
    source: source('EIP-20, "approve": the last value applies'),
    adversarial: 'The first call revokes the permission, and the second call grants an unlimited permission.',
    calls: [call(usdc, approve, [attacker, 0n]), call(usdc, approve, [attacker, maxUint256])],
    expect: {
      effects: [
        { kind: 'revokeToken', token: usdc, spender: attacker },
        { kind: 'allowToken', token: usdc, spender: attacker, amount: 'unlimited' },
      ],
      canBeUnknown: false,
    },
  }),
  transaction({
    id: 'batch-allow-then-revoke',
    source: source('EIP-20, "approve": the last value applies'),
    calls: [call(usdc, approve, [exchange, 5n]), call(usdc, approve, [exchange, 0n])],
    expect: {
      effects: [
        { kind: 'allowToken', token: usdc, spender: exchange, amount: 5n },
        { kind: 'revokeToken', token: usdc, spender: exchange },
      ],
      canBeUnknown: false,
    },
  }),
  transaction({
    id: 'batch-revoke-then-increase',
    source: source('OpenZeppelin Contracts 4.x, ERC20, "increaseAllowance"'),
    adversarial: 'The second call grants the permission that the first call revokes, through a different function.',
    calls: [call(usdc, approve, [attacker, 0n]), call(usdc, increase, [attacker, maxUint256])],
    expect: {
      effects: [
        { kind: 'revokeToken', token: usdc, spender: attacker },
        { kind: 'allowToken', token: usdc, spender: attacker, amount: 'unlimited', change: 'increase' },
      ],
      canBeUnknown: false,
    },
  }),
  transaction({
    id: 'batch-operator-off-then-on',
    source: source('EIP-721, "setApprovalForAll"'),
    adversarial: 'The first call removes the operator, and the second call adds it again.',
    calls: [call(apes, setApprovalForAll, [attacker, false]), call(apes, setApprovalForAll, [attacker, true])],
    expect: {
      effects: [
        { kind: 'revokeAll', token: apes, spender: attacker },
        { kind: 'allowAll', token: apes, operator: attacker },
      ],
      canBeUnknown: false,
    },
  }),
  transaction({
    id: 'batch-item-approval-off-then-all',
    source: source('EIP-721, "approve" and "setApprovalForAll"'),
    adversarial: 'The first call protects one item, and the second call gives away the whole collection.',
    calls: [call(apes, approve, [zero, 5n]), call(apes, setApprovalForAll, [attacker, true])],
    expect: {
      effects: [
        { kind: 'revokeItem', token: apes, id: 5n },
        { kind: 'allowAll', token: apes, operator: attacker },
      ],
      canBeUnknown: false,
    },
  }),
  transaction({
    id: 'batch-same-calldata-two-standards',
    source: source('EIP-20 and EIP-721 share the selector of approve(address,uint256)'),
    adversarial: 'The same calldata means an allowance of 0 for a token, and item 0 for a collection.',
    calls: [call(usdc, approve, [attacker, 0n]), call(apes, approve, [attacker, 0n])],
    expect: {
      effects: [
        { kind: 'revokeToken', token: usdc, spender: attacker },
        { kind: 'allowItem', token: apes, spender: attacker, id: 0n },
      ],
      canBeUnknown: false,
    },
  }),
  transaction({
    id: 'batch-same-transferFrom-two-standards',
    source: source('EIP-20 and EIP-721 share the selector of transferFrom(address,address,uint256)'),
    calls: [call(usdc, transferFrom, [me, friend, 9n]), call(apes, transferFrom, [me, friend, 9n])],
    simulation: [erc20Transfer(usdc, me, friend, 9n), erc721Transfer(apes, me, friend, 9n)],
    expect: {
      effects: [
        { kind: 'sendToken', token: usdc, from: me, to: friend, amount: 9n },
        { kind: 'sendItem', token: apes, from: me, to: friend, id: 9n, count: 1n },
      ],
      canBeUnknown: false,
      changes: [
        { kind: 'token', token: usdc, amount: -9n },
        { kind: 'item', token: apes, id: 9n, count: -1n },
      ],
    },
  }),
  transaction({
    id: 'batch-drain-behind-ten-small-ones',
    source: source('EIP-20'),
    adversarial: 'Ten payments of one cent precede a payment that takes everything.',
    calls: [
      ...Array.from({ length: 10 }, () => call(usdc, transfer, [friend, 10_000n])),
      call(usdc, transfer, [attacker, 900_000_000_000n]),
    ],
    expect: {
      effects: [
        ...Array.from({ length: 10 }, () => ({
          kind: 'sendToken' as const,
          token: usdc,
          from: me,
          to: friend,
          amount: 10_000n,
        })),
        { kind: 'sendToken', token: usdc, from: me, to: attacker, amount: 900_000_000_000n },
      ],
      canBeUnknown: false,
    },
  }),
  transaction({
    id: 'batch-recipient-of-the-same-ends',
    source: source('EIP-20'),
    adversarial: 'Two recipients with the same first and last digits look like the same recipient.',
    calls: [
      call(usdc, transfer, ['0xf41e4d0000000000000000000000000000f41e4d', 1_000_000n]),
      call(usdc, transfer, ['0xf41e4d7777777777777777777777777777f41e4d', 1_000_000_000n]),
    ],
    expect: {
      effects: [
        { kind: 'sendToken', token: usdc, from: me, to: friend, amount: 1_000_000n },
        {
          kind: 'sendToken',
          token: usdc,
          from: me,
          to: '0xf41e4d7777777777777777777777777777f41e4d',
          amount: 1_000_000_000n,
        },
      ],
      canBeUnknown: false,
    },
  }),
  transaction({
    id: 'batch-coin-token-item',
    source: source('EIP-20, EIP-721 and EIP-1155'),
    calls: [
      rawCall(friend, '0x', 5n),
      call(weth, transfer, [friend, 6n]),
      call(apes, transferFrom, [me, friend, 7n]),
      call(shapes, safeTransferFrom, [me, friend, 8n, 9n, '0x']),
    ],
    expect: {
      effects: [
        { kind: 'sendCoin', to: friend, amount: 5n },
        { kind: 'sendToken', token: weth, from: me, to: friend, amount: 6n },
        { kind: 'sendItem', token: apes, from: me, to: friend, id: 7n, count: 1n },
        { kind: 'sendItem', token: shapes, from: me, to: friend, id: 8n, count: 9n },
      ],
      canBeUnknown: false,
    },
  }),
  transaction({
    id: 'batch-there-and-back',
    source: source('EIP-20, "transferFrom"'),
    adversarial: 'The simulation shows equal incoming and outgoing amounts, but the incoming token is worthless.',
    calls: [call(usdc, transfer, [attacker, 50_000_000n]), call(opaque, transferFrom, [attacker, me, 50_000_000n])],
    contracts: { [opaque]: { kind: 'erc20', name: 'USD Coin', symbol: 'USDC', decimals: 6 } },
    simulation: [erc20Transfer(usdc, me, attacker, 50_000_000n), erc20Transfer(opaque, attacker, me, 50_000_000n)],
    expect: {
      effects: [
        { kind: 'sendToken', token: usdc, from: me, to: attacker, amount: 50_000_000n },
        { kind: 'sendToken', token: opaque, from: attacker, to: me, amount: 50_000_000n },
      ],
      canBeUnknown: false,
      changes: [
        { kind: 'token', token: usdc, amount: -50_000_000n },
        { kind: 'token', token: opaque, amount: 50_000_000n },
      ],
    },
  }),
  transaction({
    id: 'batch-nets-to-nothing',
    source: source('EIP-20, Transfer event'),
    calls: [call(usdc, transfer, [friend, 5n]), call(usdc, transferFrom, [friend, me, 5n])],
    simulation: [erc20Transfer(usdc, me, friend, 5n), erc20Transfer(usdc, friend, me, 5n)],
    expect: {
      effects: [
        { kind: 'sendToken', token: usdc, from: me, to: friend, amount: 5n },
        { kind: 'sendToken', token: usdc, from: friend, to: me, amount: 5n },
      ],
      canBeUnknown: false,
      changes: [],
    },
  }),
  transaction({
    id: 'batch-deploy-and-send',
    source: source('Yellow Paper, section 7'),
    calls: [{ value: 0n, data: '0x6080604052600a80600f5f395ff3fe' }, rawCall(friend, '0x', 10n ** 18n)],
    expect: {
      effects: [{ kind: 'deploy' }, { kind: 'sendCoin', to: friend, amount: 10n ** 18n }],
      canBeUnknown: false,
    },
  }),
  transaction({
    id: 'batch-one-call',
    source: source('a batch can contain a single call'),
    calls: [call(usdc, approve, [exchange, 1n])],
    expect: { effects: [{ kind: 'allowToken', token: usdc, spender: exchange, amount: 1n }], canBeUnknown: false },
  }),
  transaction({
    id: 'batch-unknown-between-known',
    source: source('Solidity ABI, "Function Selector": a selector that is not in any published ABI'),
    adversarial: 'An unreadable call between two readable calls makes the batch look harmless.',
    calls: [call(usdc, approve, [exchange, 0n]), rawCall(opaque, '0xbaddecaf'), call(dai, transfer, [stranger, 1n])],
    expect: {
      effects: [
        { kind: 'revokeToken', token: usdc, spender: exchange },
        { kind: 'unknown' },
        { kind: 'sendToken', token: dai, from: me, to: stranger, amount: 1n },
      ],
      canBeUnknown: true,
    },
  }),
  transaction({
    id: 'batch-coin-in-simulation-only',
    source: source('execution-apis, eth_simulateV1, traceTransfers'),
    calls: [rawCall(exchange, '0x', 10n ** 18n), call(usdc, approve, [exchange, 1n])],
    simulation: [coinTransfer(me, exchange, 10n ** 18n), coinTransfer(exchange, me, 4n * 10n ** 17n)],
    expect: {
      effects: [
        { kind: 'sendCoin', to: exchange, amount: 10n ** 18n },
        { kind: 'allowToken', token: usdc, spender: exchange, amount: 1n },
      ],
      canBeUnknown: false,
      changes: [{ kind: 'coin', amount: -6n * 10n ** 17n }],
    },
  }),
]
