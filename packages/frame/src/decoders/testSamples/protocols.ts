// Calls to other published protocols. The decoder is allowed to report these calls as unknown. The samples specify which effects
// the calls must not be mistaken for.

import { type Hex, zeroHash } from 'viem'
import {
  apes,
  attacker,
  call,
  coinTransfer,
  erc20Transfer,
  exchange,
  friend,
  maxUint256,
  me,
  opaque,
  permit2,
  stranger,
  transaction,
  usdc,
  weth,
  zero,
} from './encode.ts'
import type { TransactionSample } from './sample.ts'

const transfer = 'function transfer(address to, uint256 value)'
const approve = 'function approve(address spender, uint256 value)'
const bytes32: Hex = `0x${'ab'.repeat(32)}`
const vault = '0x4626000000000000000000000000000000004626'
const steth = '0xae7ab96520de3a18e5e111b5eaab095312d7fe84'
const ens = '0x00000000000c2e074ec69a0dfb2997ba6c7d2e1e'
const safe = '0x5afe000000000000000000000000000000005afe'

/** The samples for calls to other published protocols. */
export const protocolSamples: readonly TransactionSample[] = [
  transaction({
    id: 'weth-deposit-and-withdraw',
    source: 'WETH9, "deposit" and "withdraw"',
    calls: [
      call(weth, 'function deposit() payable', [], 10n ** 18n),
      call(weth, 'function withdraw(uint256 wad)', [3n]),
    ],
    simulation: [coinTransfer(me, weth, 10n ** 18n), coinTransfer(weth, me, 3n)],
    expect: {
      effects: [{ kind: 'unknown' }, { kind: 'unknown' }],
      canBeUnknown: true,
      value: 10n ** 18n,
      changes: [{ kind: 'coin', amount: 3n - 10n ** 18n }],
    },
  }),
  transaction({
    id: 'erc677-and-erc1363-transferAndCall',
    source: 'ERC-677, "transferAndCall"; EIP-1363, "transferAndCall" and "approveAndCall"',
    adversarial: 'Transfers and allowances have names that are not in a list of plain ERC-20 functions.',
    calls: [
      call(usdc, 'function transferAndCall(address to, uint256 value, bytes data)', [attacker, 10n ** 12n, '0x']),
      call(usdc, 'function transferAndCall(address to, uint256 value)', [attacker, 10n ** 12n]),
      call(usdc, 'function approveAndCall(address spender, uint256 value)', [attacker, maxUint256]),
    ],
    expect: {
      effects: [
        { kind: 'sendToken', token: usdc, from: me, to: attacker, amount: 10n ** 12n },
        { kind: 'sendToken', token: usdc, from: me, to: attacker, amount: 10n ** 12n },
        { kind: 'allowToken', token: usdc, spender: attacker, amount: 'unlimited' },
      ],
      canBeUnknown: true,
      never: ['revokeToken', 'message'],
    },
  }),
  transaction({
    id: 'erc4626-deposit-withdraw-redeem',
    source: 'EIP-4626, "deposit", "withdraw" and "redeem": receiver and owner are arguments',
    adversarial: 'The shares are redeemed to someone else.',
    calls: [
      call(vault, 'function deposit(uint256 assets, address receiver)', [10n ** 18n, attacker]),
      call(vault, 'function withdraw(uint256 assets, address receiver, address owner)', [10n ** 18n, attacker, me]),
      call(vault, 'function redeem(uint256 shares, address receiver, address owner)', [maxUint256, attacker, me]),
    ],
    contracts: { [vault]: { kind: 'erc20', name: 'Vault', symbol: 'vUSD', decimals: 18 } },
    expect: {
      effects: [{ kind: 'unknown' }, { kind: 'unknown' }, { kind: 'unknown' }],
      canBeUnknown: true,
      never: ['sendToken', 'revokeToken', 'message'],
    },
  }),
  transaction({
    id: 'rights-without-transfer',
    source:
      'Lido stETH, "transferShares"; EIP-137, "setSubnodeOwner"; Safe 1.4.1, "approveHash" and "execTransaction"; OpenZeppelin UUPSUpgradeable, "upgradeToAndCall"; EIP-173, "transferOwnership"; EIP-4907, "setUser"',
    adversarial:
      'Shares, names, hashes, code and ownership change hands without a known transfer, so that the screen shows nothing.',
    calls: [
      call(steth, 'function transferShares(address _recipient, uint256 _sharesAmount)', [attacker, 10n ** 18n]),
      call(ens, 'function setSubnodeOwner(bytes32 node, bytes32 label, address owner)', [bytes32, bytes32, attacker]),
      call(safe, 'function approveHash(bytes32 hashToApprove)', [bytes32]),
      call(
        safe,
        'function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures) payable',
        [usdc, 0n, call(usdc, transfer, [attacker, 10n ** 12n]).data, 0, 0n, 0n, 0n, zero, zero, '0x'],
      ),
      call(opaque, 'function upgradeToAndCall(address newImplementation, bytes data) payable', [attacker, '0x']),
      call(opaque, 'function transferOwnership(address newOwner)', [attacker]),
      call(apes, 'function setUser(uint256 tokenId, address user, uint64 expires)', [3n, friend, 1_900_000_000n]),
    ],
    contracts: {
      [steth]: { kind: 'erc20', name: 'Liquid staked Ether 2.0', symbol: 'stETH', decimals: 18 },
      [ens]: { kind: 'unknown' },
      [safe]: { kind: 'unknown' },
    },
    simulation: [],
    expect: {
      effects: Array.from({ length: 7 }, () => ({ kind: 'unknown' as const })),
      canBeUnknown: true,
      never: ['sendToken', 'sendItem', 'allowItem', 'message', 'signIn'],
      changes: [],
      changesUnknown: true,
    },
  }),
  transaction({
    id: 'multicalls-hide-approvals',
    source:
      'Uniswap v3-periphery, Multicall, "multicall(bytes[])"; Multicall3, "aggregate(Call[])", whose calls are made by that contract',
    adversarial:
      'One approval is nested in a call to the token itself. The other is a revocation that the account does not make.',
    calls: [
      call(usdc, 'function multicall(bytes[] data) payable', [[call(usdc, approve, [attacker, maxUint256]).data]]),
      call(exchange, 'function aggregate((address target, bytes callData)[] calls) payable', [
        [{ target: usdc, callData: call(usdc, approve, [attacker, 0n]).data }],
      ]),
    ],
    simulation: [],
    expect: {
      effects: [{ kind: 'unknown' }, { kind: 'unknown' }],
      canBeUnknown: true,
      never: ['revokeToken', 'message'],
      changes: [],
      changesUnknown: true,
    },
  }),
  transaction({
    id: 'uniswap-router-and-universal-router',
    source: 'Uniswap v3 SwapRouter, "exactInputSingle"; Universal Router, "execute"',
    adversarial: 'The recipient of the swap is someone else, and the swap can return nothing.',
    calls: [
      call(
        exchange,
        'function exactInputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 deadline, uint256 amountIn, uint256 amountOutMinimum, uint160 sqrtPriceLimitX96) params) payable',
        [
          {
            tokenIn: weth,
            tokenOut: usdc,
            fee: 3000,
            recipient: attacker,
            deadline: 1_900_000_000n,
            amountIn: 10n ** 18n,
            amountOutMinimum: 0n,
            sqrtPriceLimitX96: 0n,
          },
        ],
        10n ** 18n,
      ),
      call(exchange, 'function execute(bytes commands, bytes[] inputs, uint256 deadline) payable', [
        '0x0b08',
        ['0x', '0x'],
        1_900_000_000n,
      ]),
    ],
    expect: { effects: [{ kind: 'unknown' }, { kind: 'unknown' }], canBeUnknown: true, value: 10n ** 18n },
  }),
  transaction({
    id: 'permit2-calls',
    source: 'Permit2, IAllowanceTransfer, "approve" and "transferFrom"',
    adversarial: 'Permit2 spends and approves a token that is not the target of the call.',
    calls: [
      call(permit2, 'function approve(address token, address spender, uint160 amount, uint48 expiration)', [
        usdc,
        attacker,
        2n ** 160n - 1n,
        2 ** 48 - 1,
      ]),
      call(permit2, 'function transferFrom(address from, address to, uint160 amount, address token)', [
        me,
        attacker,
        10n ** 12n,
        usdc,
      ]),
    ],
    expect: {
      effects: [
        { kind: 'allowToken', token: usdc, spender: attacker, amount: 'unlimited' },
        { kind: 'sendToken', token: usdc, from: me, to: attacker, amount: 10n ** 12n },
      ],
      canBeUnknown: true,
      never: ['revokeToken', 'revokeItem', 'allowItem', 'sendItem', 'message'],
    },
  }),
  transaction({
    id: 'erc2612-permit-as-call',
    source: 'EIP-2612, "permit": sets allowance[owner][spender]',
    calls: [
      call(
        usdc,
        'function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
        [stranger, exchange, 10n ** 9n, maxUint256, 27, bytes32, zeroHash],
      ),
    ],
    expect: { effects: [{ kind: 'unknown' }], canBeUnknown: true, never: ['sendToken', 'revokeToken', 'allowToken'] },
  }),
  transaction({
    id: 'self-call-of-a-delegated-account',
    source: 'EIP-7702, "Behavior": an account runs the code that it delegates to; EIP-7579, "execute"',
    adversarial: "A call to the user's own account looks harmless, but the account executes the call's content.",
    calls: [
      call(me, 'function execute(bytes32 mode, bytes executionCalldata) payable', [
        zeroHash,
        `${usdc}${'00'.repeat(32)}${call(usdc, transfer, [attacker, 10n ** 12n]).data.slice(2)}` as Hex,
      ]),
    ],
    contracts: { [me]: { kind: 'unknown' } },
    simulation: [erc20Transfer(usdc, me, attacker, 10n ** 12n)],
    expect: {
      effects: [{ kind: 'unknown' }],
      canBeUnknown: true,
      never: ['message', 'sendCoin'],
      changes: [{ kind: 'token', token: usdc, amount: -(10n ** 12n) }],
    },
  }),
  transaction({
    id: 'mint-with-harmless-name',
    source: 'Solidity ABI, "Function Selector": names carry no meaning',
    adversarial: 'claim() and SecurityUpdate() take the native currency that is sent with the call.',
    calls: [
      call(opaque, 'function claim() payable', [], 3n * 10n ** 18n),
      call(opaque, 'function SecurityUpdate() payable', [], 2n * 10n ** 18n),
    ],
    simulation: [coinTransfer(me, opaque, 5n * 10n ** 18n)],
    expect: {
      effects: [{ kind: 'unknown' }, { kind: 'unknown' }],
      canBeUnknown: true,
      value: 5n * 10n ** 18n,
      changes: [{ kind: 'coin', amount: -5n * 10n ** 18n }],
    },
  }),
]
