/**
 * The methods that pages can call, per namespace: reading the chain and sending signed transactions. All others (accounts stored in the node,
 * administration, debugging) are for the node's operator only.
 */
const allowed: Readonly<Record<string, readonly RegExp[]>> = {
  eip155: [
    /^eth_(?!accounts$|coinbase$|sign|sendTransaction|sendUnsigned|resend$|mining$|hashrate$|getWork$|submit)[A-Za-z0-9]+$/,
    /^(net|web3|zks|linea|rollup|optimism)_[A-Za-z0-9]+$/,
  ],
  solana: [/^(get|is|simulate|minimum)[A-Za-z0-9]+$/, /^(sendTransaction|requestAirdrop)$/],
  bip122: [
    /^(get(block(?!frompeer)|tx|mempool|chain|best|network|index)[a-z0-9]*|getraw(transaction|mempool)|(decode|send)rawtransaction|estimate(smart|raw)?fee|scantxoutset|getAddressBalance)$/,
  ],
  polkadot: [
    /^(chain|chainHead|chainSpec|state|payment|transaction|archive|author)_(?!rotate|insert|remove|has)[A-Za-z0-9_]+$/,
    /^(rpc_methods|system_(health|chain|chainType|name|properties|version|accountNextIndex))$/,
  ],
  cosmos: [
    /^(abci_(info|query)|block(chain|_by_hash|_results|_search)?|broadcast_tx_(sync|async|commit)|commit|consensus_params|genesis|header|health|status|tx(_search)?|validators)$/,
  ],
}

/** Whether pages can call `method` on a chain of `namespace`. `extra` lists additional methods; a name that ends in `*` matches a prefix. */
export function isMethodAllowed({
  namespace,
  method,
  extra,
}: {
  namespace: string
  method: string
  extra: readonly string[]
}): boolean {
  if (method.length > 100) return false
  if (allowed[namespace]?.some((pattern) => pattern.test(method))) return true
  return extra.some((name) => (name.endsWith('*') ? method.startsWith(name.slice(0, -1)) : name === method))
}
