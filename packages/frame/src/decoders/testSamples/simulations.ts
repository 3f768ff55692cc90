// Samples that test how a simulation's logs affect the account. The calls are plain payments, so only the logs matter.

import { encodeAbiParameters, type Hex, pad, toEventSelector } from 'viem'
import {
  apes,
  attacker,
  call,
  coinLogs,
  coinTransfer,
  dai,
  erc20Transfer,
  erc721Transfer,
  exchange,
  log,
  maxUint256,
  me,
  opaque,
  rawCall,
  shapes,
  stranger,
  transaction,
  transferBatch,
  transferSingle,
  usdc,
  weth,
  zero,
} from './encode.ts'
import type { Change, Effect, SampleLog, TransactionSample } from './sample.ts'

const erc20Event = 'EIP-20, Events, "Transfer"'
const erc721Event = 'EIP-721, Specification, "Transfer": the id is indexed'
const singleEvent = 'EIP-1155, Specification, "TransferSingle"'
const batchEvent = 'EIP-1155, Specification, "TransferBatch"'
const coinEvent = 'execution-apis, eth_simulateV1, traceTransfers: ERC-20 Transfer logs of 0xeeee…eeee'
const eventAbi = 'Solidity ABI, "Events": topics hold the indexed arguments, data the others'

const price = 10n ** 17n
const paid = coinTransfer(me, exchange, price)
const cost: Change = { kind: 'coin', amount: -price }
const transferTopic = toEventSelector('Transfer(address,address,uint256)')
const word = (address: Hex): Hex => pad(address)
const uint = (value: bigint): Hex => encodeAbiParameters([{ type: 'uint256' }], [value])

/** Creates a sample for a payment of 0.1 ETH to a contract, with `logs` in addition to the log of the payment itself. */
const payment = (
  id: string,
  source: string,
  logs: readonly SampleLog[],
  changes: readonly Change[],
  more: Partial<TransactionSample> & { readonly changesUnknown?: true } = {},
): TransactionSample => {
  const { changesUnknown, ...rest } = more
  return transaction({
    id,
    source,
    calls: [rawCall(exchange, '0x', price)],
    simulation: [paid, ...logs],
    expect: {
      effects: [{ kind: 'sendCoin', to: exchange, amount: price }],
      canBeUnknown: false,
      changes: [cost, ...changes],
      ...(changesUnknown ? { changesUnknown } : {}),
    },
    ...rest,
  })
}

const effect: Effect = { kind: 'sendCoin', to: exchange, amount: price }
const fake = '0xa0b8699100000000000000000000000000006eb4'

/** The samples for simulations. */
export const simulationSamples: readonly TransactionSample[] = [
  payment(
    'simulation-token-in',
    erc20Event,
    [erc20Transfer(usdc, exchange, me, 250_000_000n)],
    [{ kind: 'token', token: usdc, amount: 250_000_000n }],
  ),
  payment(
    'simulation-token-out',
    erc20Event,
    [erc20Transfer(usdc, me, exchange, 250_000_000n)],
    [{ kind: 'token', token: usdc, amount: -250_000_000n }],
  ),
  payment(
    'simulation-two-tokens',
    erc20Event,
    [erc20Transfer(usdc, me, exchange, 250_000_000n), erc20Transfer(dai, exchange, me, 249n * 10n ** 18n)],
    [
      { kind: 'token', token: usdc, amount: -250_000_000n },
      { kind: 'token', token: dai, amount: 249n * 10n ** 18n },
    ],
  ),
  payment(
    'simulation-token-summed',
    erc20Event,
    [
      erc20Transfer(usdc, me, exchange, 100n),
      erc20Transfer(usdc, exchange, me, 30n),
      erc20Transfer(usdc, me, stranger, 5n),
    ],
    [{ kind: 'token', token: usdc, amount: -75n }],
  ),
  payment('simulation-token-self', erc20Event, [erc20Transfer(usdc, me, me, 100n)], []),
  payment('simulation-token-others', erc20Event, [erc20Transfer(usdc, stranger, exchange, 100n)], []),
  payment(
    'simulation-token-mint',
    `${erc20Event}: SHOULD be from 0x0 when tokens are created`,
    [erc20Transfer(dai, zero, me, 10n ** 18n)],
    [{ kind: 'token', token: dai, amount: 10n ** 18n }],
  ),
  payment(
    'simulation-token-burn',
    erc20Event,
    [erc20Transfer(dai, me, zero, 10n ** 18n)],
    [{ kind: 'token', token: dai, amount: -(10n ** 18n) }],
  ),
  payment('simulation-token-zero', erc20Event, [erc20Transfer(usdc, exchange, me, 0n)], []),
  payment(
    'simulation-item-in',
    erc721Event,
    [erc721Transfer(apes, exchange, me, 5n)],
    [{ kind: 'item', token: apes, id: 5n, count: 1n }],
  ),
  payment(
    'simulation-item-out',
    erc721Event,
    [erc721Transfer(apes, me, exchange, 5n)],
    [{ kind: 'item', token: apes, id: 5n, count: -1n }],
    {
      adversarial:
        'A Transfer event with four topics is not an ERC-20 event and is skipped, so that nothing seems to leave.',
    },
  ),
  payment(
    'simulation-item-zero-out',
    erc721Event,
    [erc721Transfer(apes, me, attacker, 0n)],
    [{ kind: 'item', token: apes, id: 0n, count: -1n }],
    { adversarial: 'Item 0 looks like an amount of 0.' },
  ),
  payment(
    'simulation-item-mint',
    `${erc721Event}; _from is zero when NFTs are created`,
    [erc721Transfer(apes, zero, me, 5n)],
    [{ kind: 'item', token: apes, id: 5n, count: 1n }],
  ),
  payment(
    'simulation-item-burn',
    `${erc721Event}; _to is zero when NFTs are destroyed`,
    [erc721Transfer(apes, me, zero, 5n)],
    [{ kind: 'item', token: apes, id: 5n, count: -1n }],
    { adversarial: 'Burning looks as if nothing were transferred.' },
  ),
  payment('simulation-item-self', erc721Event, [erc721Transfer(apes, me, me, 5n)], []),
  payment(
    'simulation-item-out-and-another-in',
    erc721Event,
    [erc721Transfer(apes, me, attacker, 5n), erc721Transfer(apes, attacker, me, 6n)],
    [
      { kind: 'item', token: apes, id: 5n, count: -1n },
      { kind: 'item', token: apes, id: 6n, count: 1n },
    ],
    { adversarial: 'An exchange of two items in the same collection adds up to nothing.' },
  ),
  payment(
    'simulation-single-in',
    singleEvent,
    [transferSingle(shapes, exchange, me, 7n, 4n)],
    [{ kind: 'item', token: shapes, id: 7n, count: 4n }],
  ),
  payment(
    'simulation-single-burn',
    `${singleEvent}: _to MUST be 0x0 when burning`,
    [transferSingle(shapes, me, zero, 7n, 4n)],
    [{ kind: 'item', token: shapes, id: 7n, count: -4n }],
  ),
  payment(
    'simulation-single-operator-is-me',
    `${singleEvent}: _operator is not the owner`,
    [
      log(
        shapes,
        'event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value)',
        [me, stranger, attacker, 7n, 4n],
      ),
    ],
    [],
    { adversarial: 'The account is the operator in the topics, but looks like the sender.' },
  ),
  payment(
    'simulation-batch-out',
    batchEvent,
    [transferBatch(shapes, me, attacker, [1n, 2n, 0n], [5n, 6n, 7n])],
    [
      { kind: 'item', token: shapes, id: 1n, count: -5n },
      { kind: 'item', token: shapes, id: 2n, count: -6n },
      { kind: 'item', token: shapes, id: 0n, count: -7n },
    ],
    { adversarial: 'A TransferBatch event is not decoded, so that nothing seems to leave.' },
  ),
  payment(
    'simulation-batch-mint',
    `${batchEvent}: _from MUST be 0x0 when minting`,
    [transferBatch(shapes, zero, me, [1n, 2n], [1n, 1n])],
    [
      { kind: 'item', token: shapes, id: 1n, count: 1n },
      { kind: 'item', token: shapes, id: 2n, count: 1n },
    ],
  ),
  payment(
    'simulation-batch-lengths-differ',
    `${batchEvent}: the order and length of _ids and _values match`,
    [transferBatch(shapes, me, attacker, [1n, 2n], [5n])],
    [],
    {
      adversarial: 'A batch with lists of different lengths is dropped, so that nothing seems to leave.',
      changesUnknown: true,
    },
  ),
  payment('simulation-coin-back', coinEvent, [coinTransfer(exchange, me, 4n * 10n ** 16n)], [], {
    expect: { effects: [effect], canBeUnknown: false, changes: [{ kind: 'coin', amount: -6n * 10n ** 16n }] },
  }),
  payment('simulation-coin-all-back', coinEvent, [coinTransfer(exchange, me, price)], [], {
    expect: { effects: [effect], canBeUnknown: false, changes: [] },
  }),
  payment('simulation-coin-between-others', coinEvent, [coinTransfer(exchange, stranger, price)], []),
  payment(
    'simulation-coin-and-wrapped',
    `${coinEvent}; WETH9 emits Deposit, not Transfer`,
    [log(weth, 'event Deposit(address indexed dst, uint256 wad)', [stranger, price])],
    [],
  ),
  payment(
    'simulation-fake-token-in',
    `${erc20Event}; "symbol" is any string`,
    [erc20Transfer(fake, exchange, me, 100_000_000_000n)],
    [{ kind: 'token', token: fake, amount: 100_000_000_000n }],
    {
      adversarial:
        'The account receives a worthless token that calls itself USDC and whose address begins like that of USDC.',
      contracts: { [fake]: { kind: 'erc20', name: 'USD Coin', symbol: 'USDC', decimals: 6 } },
    },
  ),
  payment(
    'simulation-spoofed-token-in',
    `${erc20Event}; the emitter does not respond to EIP-20 reads`,
    [erc20Transfer(opaque, exchange, me, 100_000_000_000n)],
    [],
    { adversarial: 'A contract that is not a token claims that the account received a token.' },
  ),
  payment(
    'simulation-spoofed-item-in',
    `${erc721Event}; the emitter does not respond to ERC-165 calls`,
    [erc721Transfer(opaque, exchange, me, 1n)],
    [],
    { adversarial: 'A contract that is not a collection claims that the account received an item.' },
  ),
  payment(
    'simulation-spoofed-names-real-token',
    `${eventAbi}; the emitter is the log's address, not a value in its data`,
    [log(opaque, 'event Transfer(address indexed token, address indexed to, uint256 value)', [usdc, me, 10n ** 12n])],
    [],
    { adversarial: 'The first topic contains the address of USDC, so that the log looks like an inflow of USDC.' },
  ),
  payment(
    'simulation-spoofed-batch-in',
    `${batchEvent}; the emitter does not respond to ERC-165 calls`,
    [transferBatch(opaque, exchange, me, [1n, 2n], [100n, 100n])],
    [],
    { adversarial: 'A contract that is not a collection claims that the account received 200 items.' },
  ),
  payment(
    'simulation-item-log-of-token',
    `${erc20Event}: value is not indexed`,
    [erc721Transfer(usdc, exchange, me, 5_000_000n)],
    [],
    {
      adversarial:
        'A token emits the event of a collection, so that an amount looks like an item, or an item like an amount.',
      changesUnknown: true,
    },
  ),
  payment(
    'simulation-token-log-of-collection',
    `${erc721Event}, so there are four topics`,
    [erc20Transfer(apes, me, attacker, 5n)],
    [],
    {
      adversarial: 'A collection emits the event of a token, so that item 5 looks like an amount of 5.',
      changesUnknown: true,
    },
  ),
  payment(
    'simulation-transfer-without-data',
    eventAbi,
    [{ address: usdc, topics: [transferTopic, word(me), word(attacker)], data: '0x' }],
    [],
    { adversarial: 'A Transfer event without an amount looks like an amount of 0.', changesUnknown: true },
  ),
  payment(
    'simulation-transfer-short-data',
    eventAbi,
    [{ address: usdc, topics: [transferTopic, word(me), word(attacker)], data: '0xffffffff' }],
    [],
    { adversarial: 'The amount of a Transfer event has only four bytes.', changesUnknown: true },
  ),
  payment(
    'simulation-transfer-without-topics',
    eventAbi,
    [
      {
        address: usdc,
        topics: [transferTopic],
        data: encodeAbiParameters(
          [{ type: 'address' }, { type: 'address' }, { type: 'uint256' }],
          [me, attacker, 10n ** 12n],
        ),
      },
    ],
    [],
    {
      adversarial:
        'The event of an older token has no indexed arguments and is skipped, so that nothing seems to leave.',
      changesUnknown: true,
    },
  ),
  payment(
    'simulation-transfer-dirty-topic',
    'Solidity ABI, "Formal Specification": addresses are left-padded with zeros',
    [
      {
        address: usdc,
        topics: [transferTopic, word(exchange), `0xffffffffffffffffffffffff${me.slice(2)}`],
        data: uint(10n ** 12n),
      },
    ],
    [],
    { adversarial: 'A topic that is not an address, but ends with the account, looks like an inflow.' },
  ),
  payment('simulation-log-without-topics', eventAbi, [{ address: usdc, topics: [], data: uint(1n) }], []),
  payment(
    'simulation-coin-log-of-other-event',
    coinEvent,
    [log(coinLogs, 'event Deposit(address indexed dst, uint256 wad)', [me, 10n ** 20n])],
    [],
    { adversarial: 'A different event at the address of native transfer logs looks like an inflow.' },
  ),
  payment(
    'simulation-huge-inflow-overflows',
    erc20Event,
    [erc20Transfer(dai, exchange, me, maxUint256), erc20Transfer(dai, exchange, me, maxUint256)],
    [{ kind: 'token', token: dai, amount: 2n * maxUint256 }],
    { adversarial: 'The sum of the two amounts is larger than a uint256.' },
  ),
  payment(
    'simulation-many-small-in-one-out',
    erc20Event,
    [
      ...Array.from({ length: 30 }, () => erc20Transfer(dai, exchange, me, 1n)),
      erc20Transfer(usdc, me, attacker, 10n ** 12n),
    ],
    [
      { kind: 'token', token: dai, amount: 30n },
      { kind: 'token', token: usdc, amount: -(10n ** 12n) },
    ],
    { adversarial: 'Thirty inflows of dust push the only outflow out of sight.' },
  ),
  payment(
    'simulation-grants-while-paying',
    'EIP-20, Events, "Approval"',
    [
      log(usdc, 'event Approval(address indexed owner, address indexed spender, uint256 value)', [
        me,
        attacker,
        maxUint256,
      ]),
    ],
    [],
    { adversarial: 'A payment also grants an allowance, but only transfers are read.', changesUnknown: true },
  ),
  transaction({
    id: 'simulation-empty-for-operator',
    source: 'EIP-721, "setApprovalForAll": grants rights without moving anything',
    adversarial: 'The simulation contains no transfers, so that the screen says "nothing".',
    calls: [call(apes, 'function setApprovalForAll(address _operator, bool _approved)', [attacker, true])],
    simulation: [],
    expect: { effects: [{ kind: 'allowAll', token: apes, operator: attacker }], canBeUnknown: false, changes: [] },
  }),
  transaction({
    id: 'simulation-empty-for-unknown-call',
    source: 'Solidity ABI, "Function Selector": a selector that is not in any published ABI',
    adversarial: 'There are no logs, so that the screen says that nothing is transferred.',
    calls: [rawCall(opaque, '0xfeedbee5')],
    simulation: [],
    expect: { effects: [{ kind: 'unknown' }], canBeUnknown: true, changes: [], changesUnknown: true },
  }),
  transaction({
    id: 'simulation-operator-log-of-unknown-call',
    source: 'EIP-721, Specification, "ApprovalForAll"',
    adversarial:
      'A call without a known name appoints an operator without a transfer, so that the screen says "nothing".',
    calls: [rawCall(opaque, '0x4e71d92d')],
    simulation: [
      log(apes, 'event ApprovalForAll(address indexed owner, address indexed operator, bool approved)', [
        me,
        attacker,
        true,
      ]),
    ],
    expect: {
      effects: [{ kind: 'unknown' }],
      canBeUnknown: true,
      never: ['message'],
      changes: [],
      changesUnknown: true,
    },
  }),
]
