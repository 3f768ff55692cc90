// ERC-20 calls, as specified in EIP-20, and common extensions of token contracts.

import {
  apes,
  attacker,
  call,
  dai,
  erc20Transfer,
  exchange,
  friend,
  maxUint256,
  me,
  opaque,
  permit2,
  shapes,
  stranger,
  transaction,
  usdc,
  usdt,
  weth,
  zero,
} from './encode.ts'
import type { SampleContract, TransactionSample } from './sample.ts'

const transfer = 'function transfer(address to, uint256 value)'
const transferFrom = 'function transferFrom(address from, address to, uint256 value)'
const approve = 'function approve(address spender, uint256 value)'
const increase = 'function increaseAllowance(address spender, uint256 addedValue)'
const decrease = 'function decreaseAllowance(address spender, uint256 subtractedValue)'

const eipTransfer = 'EIP-20, Methods, "transfer"'
const eipTransferFrom = 'EIP-20, Methods, "transferFrom"'
const eipApprove = 'EIP-20, Methods, "approve"'
const openZeppelin = 'OpenZeppelin Contracts 4.x, ERC20'

const token: SampleContract = { kind: 'erc20', name: 'Some Token', symbol: 'SOME', decimals: 18 }
const other = '0x70ce0000000000000000000000000000000070ce'

const send = (id: string, amount: bigint, contract: SampleContract, note = eipTransfer): TransactionSample =>
  transaction({
    id,
    source: note,
    calls: [call(other, transfer, [friend, amount])],
    contracts: { [other]: contract },
    expect: { effects: [{ kind: 'sendToken', token: other, from: me, to: friend, amount }], canBeUnknown: false },
  })

/** The samples for ERC-20 calls. */
export const erc20Samples: readonly TransactionSample[] = [
  transaction({
    id: 'erc20-transfer',
    source: eipTransfer,
    calls: [call(usdc, transfer, [friend, 25_000_000n])],
    simulation: [erc20Transfer(usdc, me, friend, 25_000_000n)],
    expect: {
      effects: [{ kind: 'sendToken', token: usdc, from: me, to: friend, amount: 25_000_000n }],
      canBeUnknown: false,
      changes: [{ kind: 'token', token: usdc, amount: -25_000_000n }],
    },
  }),
  send('erc20-transfer-18-decimals', 10n ** 18n, token),
  send(
    'erc20-transfer-0-decimals',
    3n,
    { ...token, decimals: 0 },
    'EIP-20, Methods, "decimals": 0 is a value and does not mean that decimals are missing',
  ),
  send(
    'erc20-transfer-255-decimals',
    10n ** 40n,
    { ...token, decimals: 255 },
    'EIP-20, Methods, "decimals" is a uint8',
  ),
  send('erc20-transfer-without-symbol', 5n, { kind: 'erc20', decimals: 6 }, 'EIP-20, Methods, "symbol" is optional'),
  send(
    'erc20-transfer-zero',
    0n,
    token,
    'EIP-20, "transfer": transfers of 0 values MUST be treated as normal transfers',
  ),
  send('erc20-transfer-max', maxUint256, token),
  transaction({
    id: 'erc20-transfer-without-decimals',
    source: 'EIP-20, Methods, "decimals": optional, other contracts must not expect it to be present',
    calls: [call(other, transfer, [friend, 1_000_000n])],
    contracts: { [other]: { kind: 'erc20', name: 'Some Token', symbol: 'SOME' } },
    expect: {
      effects: [{ kind: 'sendToken', token: other, from: me, to: friend, amount: 1_000_000n }],
      canBeUnknown: true,
      never: ['sendItem'],
    },
  }),
  transaction({
    id: 'erc20-transfer-usdt',
    source: `${eipTransfer}; the Tether contract returns nothing`,
    calls: [call(usdt, transfer, [friend, 1_000_000_000n])],
    simulation: [erc20Transfer(usdt, me, friend, 1_000_000_000n)],
    expect: {
      effects: [{ kind: 'sendToken', token: usdt, from: me, to: friend, amount: 1_000_000_000n }],
      canBeUnknown: false,
      changes: [{ kind: 'token', token: usdt, amount: -1_000_000_000n }],
    },
  }),
  transaction({
    id: 'erc20-transfer-to-self',
    source: eipTransfer,
    calls: [call(usdc, transfer, [me, 5_000_000n])],
    simulation: [erc20Transfer(usdc, me, me, 5_000_000n)],
    expect: {
      effects: [{ kind: 'sendToken', token: usdc, from: me, to: me, amount: 5_000_000n }],
      canBeUnknown: false,
      changes: [],
    },
  }),
  transaction({
    id: 'erc20-transfer-to-token-itself',
    source: eipTransfer,
    calls: [call(usdc, transfer, [usdc, 5_000_000n])],
    expect: {
      effects: [{ kind: 'sendToken', token: usdc, from: me, to: usdc, amount: 5_000_000n }],
      canBeUnknown: false,
    },
  }),
  transaction({
    id: 'erc20-transfer-to-zero',
    source: eipTransfer,
    calls: [call(weth, transfer, [zero, 10n ** 18n])],
    simulation: [erc20Transfer(weth, me, zero, 10n ** 18n)],
    expect: {
      effects: [{ kind: 'sendToken', token: weth, from: me, to: zero, amount: 10n ** 18n }],
      canBeUnknown: false,
      changes: [{ kind: 'token', token: weth, amount: -(10n ** 18n) }],
    },
  }),
  transaction({
    id: 'erc20-transfer-reverts',
    source: eipTransfer,
    calls: [call(usdc, transfer, [friend, 10n ** 30n])],
    simulation: 'reverts',
    expect: {
      effects: [{ kind: 'sendToken', token: usdc, from: me, to: friend, amount: 10n ** 30n }],
      canBeUnknown: false,
    },
  }),
  transaction({
    id: 'erc20-transfer-fee-on-transfer',
    source: `${eipTransfer}: a Transfer event for each movement`,
    calls: [call(other, transfer, [friend, 1000n])],
    contracts: { [other]: token },
    simulation: [erc20Transfer(other, me, friend, 980n), erc20Transfer(other, me, other, 20n)],
    expect: {
      effects: [{ kind: 'sendToken', token: other, from: me, to: friend, amount: 1000n }],
      canBeUnknown: false,
      changes: [{ kind: 'token', token: other, amount: -1000n }],
    },
  }),
  transaction({
    id: 'erc20-transfer-other-network',
    source: eipTransfer,
    chainId: 8453,
    calls: [call(usdc, transfer, [friend, 25_000_000n])],
    expect: {
      effects: [{ kind: 'sendToken', token: usdc, from: me, to: friend, amount: 25_000_000n }],
      canBeUnknown: false,
    },
  }),
  transaction({
    id: 'erc20-transfer-takes-more-than-it-says',
    source: eipTransfer,
    adversarial: 'The call specifies 1, but the token transfers everything. The simulation must show the total.',
    calls: [call(other, transfer, [friend, 1n])],
    contracts: { [other]: token },
    simulation: [erc20Transfer(other, me, friend, 1n), erc20Transfer(other, me, attacker, 10n ** 24n)],
    expect: {
      effects: [{ kind: 'sendToken', token: other, from: me, to: friend, amount: 1n }],
      canBeUnknown: false,
      changes: [{ kind: 'token', token: other, amount: -(10n ** 24n + 1n) }],
    },
  }),
  transaction({
    id: 'erc20-transfer-with-coin',
    source: `${eipTransfer}; Solidity, "Receive Ether": nothing obliges a contract to refuse value`,
    adversarial: 'A transfer of 1 unit of a token hides the 3 ether that go to the token contract.',
    calls: [call(other, transfer, [friend, 1n], 3n * 10n ** 18n)],
    contracts: { [other]: token },
    expect: {
      effects: [{ kind: 'sendToken', token: other, from: me, to: friend, amount: 1n }],
      canBeUnknown: false,
      value: 3n * 10n ** 18n,
    },
  }),
  transaction({
    id: 'erc20-approve-with-coin',
    source: `${eipApprove}; Solidity, "Receive Ether"`,
    adversarial: 'An allowance of 0 hides the ether that goes to the token contract.',
    calls: [call(other, approve, [exchange, 0n], 10n ** 18n)],
    contracts: { [other]: token },
    expect: {
      effects: [{ kind: 'revokeToken', token: other, spender: exchange }],
      canBeUnknown: false,
      value: 10n ** 18n,
    },
  }),
  transaction({
    id: 'erc20-transfer-symbol-bidi',
    source: `${eipTransfer}; "symbol" is any string`,
    adversarial: 'The symbol reverses the text that follows, so that the amount looks different.',
    calls: [call(other, transfer, [friend, 1_000_000n])],
    contracts: { [other]: { ...token, symbol: '\u202eCDSU\u202c\u200b', name: '\u2066USD Coin' } },
    expect: {
      effects: [{ kind: 'sendToken', token: other, from: me, to: friend, amount: 1_000_000n }],
      canBeUnknown: false,
    },
  }),
  transaction({
    id: 'erc20-transfer-symbol-with-amount',
    source: `${eipTransfer}; "symbol" is any string`,
    adversarial: 'The symbol contains a sentence: "USDC from Airdrop. You receive 500".',
    calls: [call(other, transfer, [attacker, 10n ** 18n])],
    contracts: { [other]: { ...token, symbol: 'USDC from Airdrop.\nYou receive 500 USDC' } },
    expect: {
      effects: [{ kind: 'sendToken', token: other, from: me, to: attacker, amount: 10n ** 18n }],
      canBeUnknown: false,
    },
  }),
  transaction({
    id: 'erc20-transferFrom-own',
    source: eipTransferFrom,
    calls: [call(usdc, transferFrom, [me, friend, 9_000_000n])],
    simulation: [erc20Transfer(usdc, me, friend, 9_000_000n)],
    expect: {
      effects: [{ kind: 'sendToken', token: usdc, from: me, to: friend, amount: 9_000_000n }],
      canBeUnknown: false,
      changes: [{ kind: 'token', token: usdc, amount: -9_000_000n }],
    },
  }),
  transaction({
    id: 'erc20-transferFrom-to-me',
    source: `${eipTransferFrom}: from is the owner, not the caller`,
    calls: [call(usdc, transferFrom, [friend, me, 9_000_000n])],
    simulation: [erc20Transfer(usdc, friend, me, 9_000_000n)],
    expect: {
      effects: [{ kind: 'sendToken', token: usdc, from: friend, to: me, amount: 9_000_000n }],
      canBeUnknown: false,
      changes: [{ kind: 'token', token: usdc, amount: 9_000_000n }],
    },
  }),
  transaction({
    id: 'erc20-transferFrom-between-others',
    source: `${eipTransferFrom}: from is the owner, not the caller`,
    calls: [call(dai, transferFrom, [stranger, friend, 10n ** 18n])],
    simulation: [erc20Transfer(dai, stranger, friend, 10n ** 18n)],
    expect: {
      effects: [{ kind: 'sendToken', token: dai, from: stranger, to: friend, amount: 10n ** 18n }],
      canBeUnknown: false,
      changes: [],
    },
  }),
  transaction({
    id: 'erc20-transferFrom-zero',
    source: `${eipTransferFrom}: transfers of 0 values MUST be treated as normal transfers`,
    calls: [call(usdc, transferFrom, [me, friend, 0n])],
    expect: {
      effects: [{ kind: 'sendToken', token: usdc, from: me, to: friend, amount: 0n }],
      canBeUnknown: false,
      never: ['sendItem'],
    },
  }),
  transaction({
    id: 'erc20-approve-finite',
    source: eipApprove,
    calls: [call(usdc, approve, [exchange, 100_000_000n])],
    simulation: [],
    expect: {
      effects: [{ kind: 'allowToken', token: usdc, spender: exchange, amount: 100_000_000n }],
      canBeUnknown: false,
      changes: [],
    },
  }),
  transaction({
    id: 'erc20-approve-unlimited',
    source: eipApprove,
    calls: [call(usdc, approve, [exchange, maxUint256])],
    expect: {
      effects: [{ kind: 'allowToken', token: usdc, spender: exchange, amount: 'unlimited' }],
      canBeUnknown: false,
    },
  }),
  transaction({
    id: 'erc20-approve-max-minus-one',
    source: eipApprove,
    adversarial: 'One less than the maximum looks like a large number, not like an unlimited amount.',
    calls: [call(usdc, approve, [attacker, maxUint256 - 1n])],
    expect: {
      effects: [{ kind: 'allowToken', token: usdc, spender: attacker, amount: 'unlimited' }],
      canBeUnknown: false,
    },
  }),
  transaction({
    id: 'erc20-approve-half-of-max',
    source: eipApprove,
    adversarial: 'A round power of two looks like a large number, not like an unlimited amount.',
    calls: [call(usdc, approve, [attacker, 2n ** 255n])],
    expect: {
      effects: [{ kind: 'allowToken', token: usdc, spender: attacker, amount: 'unlimited' }],
      canBeUnknown: false,
    },
  }),
  transaction({
    id: 'erc20-approve-one-wei',
    source: eipApprove,
    calls: [call(dai, approve, [exchange, 1n])],
    expect: {
      effects: [{ kind: 'allowToken', token: dai, spender: exchange, amount: 1n }],
      canBeUnknown: false,
      never: ['revokeToken'],
    },
  }),
  transaction({
    id: 'erc20-approve-zero',
    source: `${eipApprove}: the allowance is overwritten with value`,
    calls: [call(usdc, approve, [exchange, 0n])],
    simulation: [],
    expect: { effects: [{ kind: 'revokeToken', token: usdc, spender: exchange }], canBeUnknown: false, changes: [] },
  }),
  transaction({
    id: 'erc20-approve-zero-usdt',
    source: `${eipApprove}; Tether accepts a new allowance only if the current allowance is 0`,
    calls: [call(usdt, approve, [exchange, 0n])],
    expect: { effects: [{ kind: 'revokeToken', token: usdt, spender: exchange }], canBeUnknown: false },
  }),
  transaction({
    id: 'erc20-approve-self',
    source: eipApprove,
    calls: [call(usdc, approve, [me, 100n])],
    expect: { effects: [{ kind: 'allowToken', token: usdc, spender: me, amount: 100n }], canBeUnknown: false },
  }),
  transaction({
    id: 'erc20-approve-permit2-unlimited',
    source: `${eipApprove}; Permit2 README, "Approving Permit2"`,
    calls: [call(weth, approve, [permit2, maxUint256])],
    expect: {
      effects: [{ kind: 'allowToken', token: weth, spender: permit2, amount: 'unlimited' }],
      canBeUnknown: false,
    },
  }),
  transaction({
    id: 'erc20-approve-person',
    source: `${eipApprove}: any address can be a spender`,
    adversarial: 'The spender is a person, not a contract, but the call looks like an everyday approval.',
    calls: [call(usdc, approve, [attacker, 5_000_000n])],
    expect: {
      effects: [{ kind: 'allowToken', token: usdc, spender: attacker, amount: 5_000_000n }],
      canBeUnknown: false,
      never: ['sendToken', 'revokeToken'],
    },
  }),
  transaction({
    id: 'erc20-approve-spends-at-once',
    source: eipApprove,
    adversarial: 'The call is an approval, but the token also makes a transfer while it approves.',
    calls: [call(other, approve, [exchange, 10n])],
    contracts: { [other]: token },
    simulation: [erc20Transfer(usdc, me, attacker, 700_000_000n)],
    expect: {
      effects: [{ kind: 'allowToken', token: other, spender: exchange, amount: 10n }],
      canBeUnknown: false,
      changes: [{ kind: 'token', token: usdc, amount: -700_000_000n }],
    },
  }),
  transaction({
    id: 'erc20-increaseAllowance',
    source: `${openZeppelin}, "increaseAllowance"`,
    calls: [call(other, increase, [exchange, 500n])],
    contracts: { [other]: token },
    expect: {
      effects: [{ kind: 'allowToken', token: other, spender: exchange, amount: 500n, change: 'increase' }],
      canBeUnknown: false,
      never: ['revokeToken'],
    },
  }),
  transaction({
    id: 'erc20-increaseAllowance-unlimited',
    source: `${openZeppelin}, "increaseAllowance"`,
    adversarial: 'An unlimited permission is granted by a function that is not called approve.',
    calls: [call(usdc, increase, [attacker, maxUint256])],
    expect: {
      effects: [{ kind: 'allowToken', token: usdc, spender: attacker, amount: 'unlimited', change: 'increase' }],
      canBeUnknown: false,
    },
  }),
  transaction({
    id: 'erc20-increaseAllowance-zero',
    source: `${openZeppelin}, "increaseAllowance": adds to the existing allowance`,
    adversarial: 'An increase by 0 looks like a revocation, but the existing permission remains.',
    calls: [call(usdc, increase, [attacker, 0n])],
    expect: {
      effects: [{ kind: 'allowToken', token: usdc, spender: attacker, amount: 0n, change: 'increase' }],
      canBeUnknown: false,
      never: ['revokeToken'],
    },
  }),
  transaction({
    id: 'erc20-decreaseAllowance',
    source: `${openZeppelin}, "decreaseAllowance": the rest remains allowed`,
    calls: [call(usdc, decrease, [exchange, 500n])],
    expect: {
      effects: [{ kind: 'allowToken', token: usdc, spender: exchange, amount: 500n, change: 'decrease' }],
      canBeUnknown: false,
      never: ['revokeToken'],
    },
  }),
  transaction({
    id: 'erc20-decreaseAllowance-zero',
    source: `${openZeppelin}, "decreaseAllowance": the rest remains allowed`,
    adversarial: 'A decrease by 0 looks like a revocation.',
    calls: [call(usdc, decrease, [attacker, 0n])],
    expect: {
      effects: [{ kind: 'allowToken', token: usdc, spender: attacker, amount: 0n, change: 'decrease' }],
      canBeUnknown: false,
      never: ['revokeToken'],
    },
  }),
  transaction({
    id: 'erc20-transfer-at-unknown-contract',
    source: `${eipTransfer}; the contract does not respond to EIP-20 reads`,
    adversarial: 'A contract that is not a token looks like a token.',
    calls: [call(opaque, transfer, [friend, 10n ** 18n])],
    expect: { effects: [{ kind: 'unknown' }], canBeUnknown: true },
  }),
  transaction({
    id: 'erc20-transfer-at-address-without-code',
    source: `${eipTransfer}; Yellow Paper, section 8: an account without code executes nothing`,
    adversarial: 'A payment seems to be made, but nothing is executed.',
    calls: [call(stranger, transfer, [friend, 10n ** 18n])],
    expect: { effects: [{ kind: 'unknown' }], canBeUnknown: true, never: ['sendToken', 'sendItem'] },
  }),
  transaction({
    id: 'erc20-transfer-at-erc721',
    source: 'EIP-721, Specification: transfer(address,uint256) is not one of its functions',
    adversarial: 'An item with a large ID looks like a token amount.',
    calls: [call(apes, transfer, [attacker, 4711n])],
    expect: { effects: [{ kind: 'unknown' }], canBeUnknown: true, never: ['sendToken'] },
  }),
  transaction({
    id: 'erc20-approve-at-erc1155',
    source: 'EIP-1155, Specification: approve(address,uint256) is not one of its functions',
    adversarial: 'A call to approve with 0 on an ERC-1155 contract looks like a revocation.',
    calls: [call(shapes, approve, [attacker, 0n])],
    expect: {
      effects: [{ kind: 'unknown' }],
      canBeUnknown: true,
      never: ['revokeToken', 'revokeItem', 'revokeAll', 'allowToken'],
    },
  }),
]
