// Samples for native transfers, deployments, and calls to addresses without code.

import { attacker, coinTransfer, exchange, friend, me, rawCall, transaction } from './encode.ts'
import type { TransactionSample } from './sample.ts'

const valueTransfer = 'Ethereum Yellow Paper, section 8 "Message Call": value moves from sender to recipient'
const creation = 'Ethereum Yellow Paper, section 7 "Contract Creation": no recipient, data is the init code'
const noCode = 'Ethereum Yellow Paper, section 8: an account without code executes nothing'

/** The samples for native transfers and deployments. */
export const coinSamples: readonly TransactionSample[] = [
  transaction({
    id: 'coin-send',
    source: valueTransfer,
    calls: [rawCall(friend, '0x', 1_500_000_000_000_000_000n)],
    simulation: [coinTransfer(me, friend, 1_500_000_000_000_000_000n)],
    expect: {
      effects: [{ kind: 'sendCoin', to: friend, amount: 1_500_000_000_000_000_000n }],
      canBeUnknown: false,
      changes: [{ kind: 'coin', amount: -1_500_000_000_000_000_000n }],
    },
  }),
  transaction({
    id: 'coin-send-without-simulation',
    source: valueTransfer,
    calls: [rawCall(friend, '0x', 10n ** 18n)],
    expect: { effects: [{ kind: 'sendCoin', to: friend, amount: 10n ** 18n }], canBeUnknown: false },
  }),
  transaction({
    id: 'coin-send-zero',
    source: valueTransfer,
    calls: [rawCall(friend, '0x', 0n)],
    simulation: [],
    expect: { effects: [{ kind: 'sendCoin', to: friend, amount: 0n }], canBeUnknown: false, changes: [] },
  }),
  transaction({
    id: 'coin-send-one-wei',
    source: valueTransfer,
    calls: [rawCall(friend, '0x', 1n)],
    simulation: [coinTransfer(me, friend, 1n)],
    expect: {
      effects: [{ kind: 'sendCoin', to: friend, amount: 1n }],
      canBeUnknown: false,
      changes: [{ kind: 'coin', amount: -1n }],
    },
  }),
  transaction({
    id: 'coin-send-more-than-exists',
    source: valueTransfer,
    calls: [rawCall(friend, '0x', 2n ** 255n)],
    simulation: 'reverts',
    expect: { effects: [{ kind: 'sendCoin', to: friend, amount: 2n ** 255n }], canBeUnknown: false },
  }),
  transaction({
    id: 'coin-send-to-contract',
    source: valueTransfer,
    calls: [rawCall(exchange, '0x', 10n ** 17n)],
    expect: { effects: [{ kind: 'sendCoin', to: exchange, amount: 10n ** 17n }], canBeUnknown: false },
  }),
  transaction({
    id: 'coin-send-to-self',
    source: valueTransfer,
    calls: [rawCall(me, '0x', 10n ** 18n)],
    simulation: [coinTransfer(me, me, 10n ** 18n)],
    expect: { effects: [{ kind: 'sendCoin', to: me, amount: 10n ** 18n }], canBeUnknown: false, changes: [] },
  }),
  transaction({
    id: 'coin-batch-of-two',
    source: `${valueTransfer}; EIP-5792 "wallet_sendCalls"`,
    calls: [rawCall(friend, '0x', 10n ** 18n), rawCall(exchange, '0x', 3n)],
    simulation: [coinTransfer(me, friend, 10n ** 18n), coinTransfer(me, exchange, 3n)],
    expect: {
      effects: [
        { kind: 'sendCoin', to: friend, amount: 10n ** 18n },
        { kind: 'sendCoin', to: exchange, amount: 3n },
      ],
      canBeUnknown: false,
      changes: [{ kind: 'coin', amount: -(10n ** 18n + 3n) }],
    },
  }),
  transaction({
    id: 'coin-large-part-hidden-behind-dust',
    source: `${valueTransfer}; EIP-5792 "wallet_sendCalls"`,
    adversarial: 'A batch that begins with one wei to a friend looks like a transfer of one wei.',
    calls: [rawCall(friend, '0x', 1n), rawCall(attacker, '0x', 50n * 10n ** 18n)],
    expect: {
      effects: [
        { kind: 'sendCoin', to: friend, amount: 1n },
        { kind: 'sendCoin', to: attacker, amount: 50n * 10n ** 18n },
      ],
      canBeUnknown: false,
    },
  }),
  transaction({
    id: 'deploy',
    source: creation,
    calls: [{ value: 0n, data: '0x6080604052348015600e575f80fd5b50603e80601a5f395ff3fe' }],
    simulation: [],
    expect: { effects: [{ kind: 'deploy' }], canBeUnknown: false, changes: [] },
  }),
  transaction({
    id: 'deploy-with-coin',
    source: creation,
    calls: [{ value: 10n ** 18n, data: '0x6080604052600a80600f5f395ff3fe' }],
    expect: { effects: [{ kind: 'deploy' }], canBeUnknown: false, value: 10n ** 18n },
  }),
  transaction({
    id: 'deploy-init-code-that-looks-like-a-transfer',
    source: creation,
    adversarial: 'Init code that begins with the selector of transfer(address,uint256) looks like a transfer.',
    calls: [{ value: 0n, data: '0xa9059cbb000000000000000000000000f41e4d0000000000000000000000000000f41e4d01' }],
    expect: { effects: [{ kind: 'deploy' }], canBeUnknown: false, never: ['sendToken', 'sendCoin'] },
  }),
  transaction({
    id: 'deploy-of-nothing-with-coin',
    source: creation,
    adversarial:
      'A contract creation without init code looks like a message without effect, but the native currency is lost.',
    calls: [{ value: 2n * 10n ** 18n, data: '0x' }],
    expect: { effects: [{ kind: 'deploy' }], canBeUnknown: false, never: ['message'], value: 2n * 10n ** 18n },
  }),
  transaction({
    id: 'coin-with-note-to-account-without-code',
    source: noCode,
    calls: [rawCall(friend, '0x7468616e6b20796f7521', 10n ** 16n)],
    expect: { effects: [{ kind: 'sendCoin', to: friend, amount: 10n ** 16n }], canBeUnknown: false },
  }),
]
