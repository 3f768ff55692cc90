// Typed data from other protocols, and custom typed data. The samples specify which effects the data must not be mistaken for.

import { type Hex, zeroHash } from 'viem'
import { apes, attacker, exchange, friend, maxUint256, me, opaque, stranger, usdc, weth, zero } from './encode.ts'
import type { Effect, TypedDataSample } from './sample.ts'
import { domainOf, nextMonth, past, request, typedDataSample, typesOf } from './typedDataRequest.ts'

const neverMuch: readonly Effect['kind'][] = ['order', 'permit', 'permitRevoke', 'permitTransfer']
const hash: Hex = `0x${'ab'.repeat(32)}`
const mail = 'Mail(Person from,Person to,string contents)Person(string name,address wallet)'
const mailMessage = {
  from: { name: 'Cow', wallet: '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826' },
  to: { name: 'Bob', wallet: '0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB' },
  contents: 'Hello, Bob!',
}
const mailDomain = domainOf('0xcccccccccccccccccccccccccccccccccccccccc', 'Ether Mail', '1')
const mailRequest = (message: object, domain: object = mailDomain) =>
  request({ types: typesOf(mail), primaryType: 'Mail', domain: domain as Record<string, unknown>, message })

const transferWith =
  'TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)'

/** Creates a sample for a request that the decoder is allowed to report as unknown, but must not decode as something else. */
const unread = (
  id: string,
  source: string,
  typedData: object,
  adversarial?: string,
  never: readonly Effect['kind'][] = [...neverMuch, 'message', 'signIn'],
): TypedDataSample =>
  typedDataSample({
    id,
    source,
    ...(adversarial ? { adversarial } : {}),
    typedData,
    expect: { effects: [{ kind: 'unknown' }], canBeUnknown: true, never },
  })

const refused = (
  id: string,
  source: string,
  typedData: object,
  more: { readonly malformed?: string; readonly adversarial?: string; readonly chainId?: number },
): TypedDataSample =>
  typedDataSample({
    id,
    source,
    typedData,
    ...more,
    expect: { effects: [{ kind: 'unknown' }], canBeUnknown: false, refused: true },
  })

const chainClause =
  'EIP-712, "Definition of domainSeparator": refuse signing if chainId does not match the active chain'
const dataClause = 'EIP-712, "Definition of encodeData"'
const schemaClause = 'EIP-712, "Specification of the eth_signTypedData JSON RPC", the JSON schema of typedData'

/** Typed data that is neither a permit nor a Seaport order. */
export const otherTypedDataSamples: readonly TypedDataSample[] = [
  typedDataSample({
    id: 'eip712-mail',
    source: 'EIP-712, Test Cases, Example.js',
    typedData: mailRequest(mailMessage),
    expect: { effects: [{ kind: 'message' }], canBeUnknown: true, never: neverMuch },
  }),
  typedDataSample({
    id: 'mail-with-order-in-its-text',
    source: 'EIP-712, Test Cases, Example.js; a string is any string',
    adversarial: 'The text imitates the screen: "You receive 500 USDC", with line breaks and bidirectional controls.',
    typedData: mailRequest({
      ...mailMessage,
      contents: '\u202e\n\nYou receive 500 USDC\u2069\u200b\nNothing leaves your wallet.\u0000',
    }),
    expect: { effects: [{ kind: 'message' }], canBeUnknown: true, never: neverMuch },
  }),
  unread(
    'safe-transaction',
    'Safe 1.4.1, "SafeTx"',
    request({
      types: typesOf(
        'SafeTx(address to,uint256 value,bytes data,uint8 operation,uint256 safeTxGas,uint256 baseGas,uint256 gasPrice,address gasToken,address refundReceiver,uint256 nonce)',
      ),
      primaryType: 'SafeTx',
      domain: { chainId: 1, verifyingContract: opaque },
      message: {
        to: attacker,
        value: '1000000000000000000',
        data: '0x',
        operation: 1,
        safeTxGas: '0',
        baseGas: '0',
        gasPrice: '0',
        gasToken: zero,
        refundReceiver: zero,
        nonce: '4',
      },
    }),
    'A Safe transaction with a delegate call looks like a message.',
  ),
  unread(
    'user-operation',
    'EIP-4337, "UserOperation hash" of EntryPoint 0.8: PackedUserOperation as typed data',
    request({
      types: typesOf(
        'PackedUserOperation(address sender,uint256 nonce,bytes initCode,bytes callData,bytes32 accountGasLimits,uint256 preVerificationGas,bytes32 gasFees,bytes paymasterAndData)',
      ),
      primaryType: 'PackedUserOperation',
      domain: domainOf('0x4337084d9e255ff0702461cf8895ce9e11b5476a', 'ERC4337', '1'),
      message: {
        sender: me,
        nonce: '0',
        initCode: '0x',
        callData: '0xb61d27f6',
        accountGasLimits: hash,
        preVerificationGas: '50000',
        gasFees: hash,
        paymasterAndData: '0x',
      },
    }),
    'A whole transaction from the account looks like a message.',
  ),
  typedDataSample({
    id: 'eip3009-transfer',
    source: 'EIP-3009, "TransferWithAuthorization": anyone can execute it, and value goes to `to`',
    adversarial: 'A transfer looks like a message.',
    typedData: request({
      types: typesOf(transferWith),
      primaryType: 'TransferWithAuthorization',
      domain: domainOf(usdc, 'USD Coin', '2'),
      message: {
        from: me,
        to: attacker,
        value: '900000000000',
        validAfter: '0',
        validBefore: String(nextMonth),
        nonce: hash,
      },
    }),
    expect: {
      effects: [
        {
          kind: 'permitTransfer',
          spender: attacker,
          permissions: [{ token: usdc, amount: 900_000_000_000n }],
          signatureExpires: nextMonth,
        },
      ],
      canBeUnknown: true,
      never: ['message', 'signIn', 'permitRevoke', 'order'],
    },
  }),
  unread(
    'look-alike-order',
    'EIP-712, "Definition of typeHash": a type is defined by its members, not by the end of its name',
    request({
      types: typesOf('SwapOrder(Item[] offer,Item[] consideration)Item(string name)'),
      primaryType: 'SwapOrder',
      domain: domainOf(opaque, 'Seaport', '1.6'),
      message: {
        offer: [{ name: 'dust' }],
        consideration: [{ name: '100 ETH' }, { name: '1 BAYC' }, { name: 'USDC' }],
      },
    }),
    'Any type whose name ends in Order is shown as "you offer 1 item, you get 3".',
  ),
  unread(
    'blur-order',
    'Blur Exchange, "Order"',
    request({
      types: typesOf(
        'Order(address trader,uint8 side,address matchingPolicy,address collection,uint256 tokenId,uint256 amount,address paymentToken,uint256 price,uint256 listingTime,uint256 expirationTime,Fee[] fees,uint256 salt,bytes extraParams,uint256 nonce)Fee(uint16 rate,address recipient)',
      ),
      primaryType: 'Order',
      domain: domainOf('0x000000000000ad05ccc4f10045630fb830b95127', 'Blur Exchange', '1.0'),
      message: {
        trader: me,
        side: 1,
        matchingPolicy: exchange,
        collection: apes,
        tokenId: '0',
        amount: '1',
        paymentToken: zero,
        price: '0',
        listingTime: String(past),
        expirationTime: String(nextMonth),
        fees: [{ rate: 10_000, recipient: attacker }],
        salt: '1',
        extraParams: '0x',
        nonce: '0',
      },
    }),
    'The item is listed for nothing, and the whole price is a fee.',
  ),
  unread(
    'cow-order',
    'CoW Protocol, GPv2Order',
    request({
      types: typesOf(
        'Order(address sellToken,address buyToken,address receiver,uint256 sellAmount,uint256 buyAmount,uint32 validTo,bytes32 appData,uint256 feeAmount,string kind,bool partiallyFillable,string sellTokenBalance,string buyTokenBalance)',
      ),
      primaryType: 'Order',
      domain: domainOf('0x9008d19f58aabd9ed0d60971565aa8510560ab41', 'Gnosis Protocol', 'v2'),
      message: {
        sellToken: weth,
        buyToken: usdc,
        receiver: attacker,
        sellAmount: '1000000000000000000',
        buyAmount: '1',
        validTo: Number(nextMonth),
        appData: zeroHash,
        feeAmount: '0',
        kind: 'sell',
        partiallyFillable: false,
        sellTokenBalance: 'erc20',
        buyTokenBalance: 'erc20',
      },
    }),
    'The proceeds of the order go to someone else.',
  ),
  unread(
    'agent-approval',
    'Hyperliquid, "HyperliquidTransaction:ApproveAgent"',
    {
      types: {
        EIP712Domain: [
          { name: 'name', type: 'string' },
          { name: 'version', type: 'string' },
          { name: 'chainId', type: 'uint256' },
          { name: 'verifyingContract', type: 'address' },
        ],
        'HyperliquidTransaction:ApproveAgent': [
          { name: 'hyperliquidChain', type: 'string' },
          { name: 'agentAddress', type: 'address' },
          { name: 'agentName', type: 'string' },
          { name: 'nonce', type: 'uint64' },
        ],
      },
      primaryType: 'HyperliquidTransaction:ApproveAgent',
      domain: { name: 'HyperliquidSignTransaction', version: '1', chainId: 1, verifyingContract: zero },
      message: { hyperliquidChain: 'Mainnet', agentAddress: attacker, agentName: '', nonce: 1_767_225_600_000 },
    },
    'A key that is allowed to trade for the account looks like a message.',
  ),
  typedDataSample({
    id: 'snapshot-vote',
    source: 'Snapshot, snapshot.js, "Vote"',
    typedData: request({
      types: typesOf(
        'Vote(address from,string space,uint64 timestamp,bytes32 proposal,uint32 choice,string reason,string app,string metadata)',
      ),
      primaryType: 'Vote',
      domain: { name: 'snapshot', version: '0.1.4' },
      message: {
        from: me,
        space: 'example.eth',
        timestamp: 1_767_225_600,
        proposal: hash,
        choice: 1,
        reason: '',
        app: 'snapshot',
        metadata: '{}',
      },
    }),
    expect: { effects: [{ kind: 'message' }], canBeUnknown: true, never: neverMuch },
  }),
  typedDataSample({
    id: 'nested-and-recursive',
    source: 'EIP-712, "Definition of encodeData"; recursive types and arrays of arrays are allowed by encodeType',
    adversarial: 'A recursive type and nested lists can make the decoder hang or hide their content.',
    typedData: request({
      types: typesOf('Node(string name,Node[] children,uint256[][] grid)'),
      primaryType: 'Node',
      domain: domainOf(opaque, 'Trees', '1'),
      message: {
        name: 'root',
        grid: [['1', '2'], [], ['3']],
        children: [{ name: 'leaf', grid: [], children: [] }],
      },
    }),
    expect: { effects: [{ kind: 'message' }], canBeUnknown: true, never: neverMuch },
  }),
  typedDataSample({
    id: 'sign-in-like',
    source: 'EIP-4361 is signed by personal_sign; typed data is not a sign-in under that standard',
    adversarial: 'The typed data looks like a sign-in to a different site.',
    typedData: request({
      types: typesOf(
        'SignIn(string domain,address address,string statement,string uri,uint256 nonce,uint256 allowance)',
      ),
      primaryType: 'SignIn',
      domain: domainOf(opaque, 'Sign-In with Ethereum', '1'),
      message: {
        domain: 'bank.example',
        address: me,
        statement: 'Sign in. This gives no access to your assets.',
        uri: 'https://bank.example',
        nonce: '1',
        allowance: String(maxUint256),
      },
    }),
    expect: { effects: [{ kind: 'message' }], canBeUnknown: true, never: neverMuch },
  }),
  refused('mail-other-network', chainClause, mailRequest(mailMessage, { ...mailDomain, chainId: 5 }), {}),
  refused('mail-network-as-string', chainClause, mailRequest(mailMessage, { ...mailDomain, chainId: '5' }), {
    adversarial: 'A network that is specified as a string passes a comparison with a number.',
  }),
  refused('mail-network-zero', chainClause, mailRequest(mailMessage, { ...mailDomain, chainId: 0 }), {
    adversarial: 'Network 0 is falsy and looks absent.',
  }),
  refused('mail-network-is-text', schemaClause, mailRequest(mailMessage, { ...mailDomain, chainId: 'mainnet' }), {
    malformed: 'The chain ID is not a number.',
    adversarial: 'A value that is not a number is neither equal to nor different from a network.',
  }),
  refused('mail-network-is-null', schemaClause, mailRequest(mailMessage, { ...mailDomain, chainId: null }), {
    malformed: 'The chain ID is not a number.',
    adversarial: 'null looks absent.',
  }),
  refused(
    'eip3009-other-network',
    chainClause,
    request({
      types: typesOf(transferWith),
      primaryType: 'TransferWithAuthorization',
      domain: { ...domainOf(usdc, 'USD Coin', '2'), chainId: 10 },
      message: { from: me, to: friend, value: '1', validAfter: '0', validBefore: String(nextMonth), nonce: hash },
    }),
    {},
  ),
  refused('mail-member-missing', dataClause, mailRequest({ ...mailMessage, to: undefined }), {
    malformed: 'The message has no value for the member "to".',
    adversarial: 'One signer hashes the missing value as zero, and another signer refuses it.',
  }),
  refused('mail-struct-is-text', dataClause, mailRequest({ ...mailMessage, from: 'Cow' }), {
    malformed: 'A struct is a string.',
  }),
  refused('mail-address-is-number', dataClause, mailRequest({ ...mailMessage, to: { name: 'Bob', wallet: 7 } }), {
    malformed: 'The address is a number.',
  }),
  refused(
    'bytes32-too-long',
    dataClause,
    request({
      types: typesOf('Root(bytes32 root)'),
      primaryType: 'Root',
      domain: mailDomain,
      message: { root: `${hash}00` },
    }),
    {
      malformed: 'The root has 33 bytes.',
      adversarial: 'One signer drops the last byte, and another signer drops the first byte.',
    },
  ),
  refused(
    'array-of-fixed-length-differs',
    'EIP-712, "Definition of typed structured data": Type[n] has n members',
    request({
      types: typesOf('Pair(address[2] pair)'),
      primaryType: 'Pair',
      domain: mailDomain,
      message: { pair: [me, friend, stranger] },
    }),
    {
      malformed: 'The array has three members instead of two.',
      adversarial: 'The third member is not shown or not hashed.',
    },
  ),
  refused(
    'contract-is-no-address',
    schemaClause,
    mailRequest(mailMessage, { ...mailDomain, verifyingContract: 'Ether Mail' }),
    { malformed: 'The verifying contract is not an address.' },
  ),
  refused(
    'types-are-a-list',
    schemaClause,
    { ...mailRequest(mailMessage), types: [] },
    {
      malformed: 'The types are a list.',
    },
  ),
  refused(
    'primary-type-missing',
    schemaClause,
    { ...mailRequest(mailMessage), primaryType: undefined },
    {
      malformed: 'There is no primary type.',
    },
  ),
]
