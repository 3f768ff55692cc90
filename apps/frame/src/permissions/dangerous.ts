import { type AbiParameter, type Hex, toFunctionSelector } from 'viem'

// A function that hands out rights, moves tokens or carries other calls has no limit that could be counted from outside: a page
// that wants to send tokens asks for an allowance. The list cannot be whole; contracts are shown with what may be called on them.

const names = new Set(
  [
    'approve approveMax approveAndCall increaseAllowance increaseApproval setApprovalForAll authorizeOperator',
    'permit permitAll permitTransferFrom permitWitnessTransferFrom delegateBySig',
    'transfer transferFrom safeTransfer safeTransferFrom safeBatchTransferFrom transferAndCall transferFromAndCall send operatorSend burn burnFrom',
    'multicall multiCall aggregate aggregate3 aggregate3Value tryAggregate blockAndAggregate tryBlockAndAggregate multiSend batch',
    'execute executeBatch executeCall executeUserOp execTransaction execTransactionFromModule executeFromExecutor exec call delegatecall proxy forward',
    'transferOwnership setOwner changeOwner addOwner addOwnerWithThreshold swapOwner removeOwner changeThreshold grantRole acceptOwnership',
    'upgradeTo upgradeToAndCall setImplementation enableModule installModule setGuard setFallbackHandler initialize',
  ].flatMap((line) => line.toLowerCase().split(' ')),
)

const selectors = new Set<Hex>(
  [
    'transfer(address,uint256)',
    'transferFrom(address,address,uint256)',
    'approve(address,uint256)',
    'approve(address,address,uint160,uint48)',
    'increaseAllowance(address,uint256)',
    'setApprovalForAll(address,bool)',
    'permit(address,address,uint256,uint256,uint8,bytes32,bytes32)',
    'permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)',
    'safeTransferFrom(address,address,uint256)',
    'multicall(bytes[])',
    'multicall(uint256,bytes[])',
    'multicall(bytes32,bytes[])',
    'aggregate((address,bytes)[])',
    'aggregate3((address,bool,bytes)[])',
    'tryAggregate(bool,(address,bytes)[])',
    'multiSend(bytes)',
    'execute(address,uint256,bytes)',
    'execute(bytes,bytes[],uint256)',
    'executeBatch(address[],uint256[],bytes[])',
    // Rights and owners, in the words of widely used contracts.
    'increaseApproval(address,uint256)',
    'authorizeOperator(address)',
    'approve(address,uint256,uint256)',
    'transfer(address,uint256,uint256)',
    'transferFrom(address,address,uint256,uint256)',
    'transferFrom(address,address,uint160,address)',
    'setOperator(address,bool)',
    'setAuthorization(address,bool)',
    'setRelayerApproval(address,address,bool)',
    'approveDelegation(address,uint256)',
    'allow(address,bool)',
    'hope(address)',
    'move(address,address,uint256)',
    'push(address,uint256)',
    'pull(address,uint256)',
    'transferPunk(address,uint256)',
    'safeTransfer(address,uint256)',
    'burn(uint256)',
    'burn(address,uint256)',
    'burnFrom(address,uint256)',
    'delegateBySig(address,uint256,uint256,uint8,bytes32,bytes32)',
    'transferOwnership(address)',
    'setOwner(address)',
    'changeOwner(address)',
    'grantRole(bytes32,address)',
    'upgradeTo(address)',
    'setImplementation(address)',
    'enableModule(address)',
    'setGuard(address)',
    'setFallbackHandler(address)',
    'addOwnerWithThreshold(address,uint256)',
    'swapOwner(address,address,address)',
    'removeOwner(address,address,uint256)',
    'changeThreshold(uint256)',
  ].map((signature) => toFunctionSelector(signature)),
)

/** Why a page cannot have a function for good: it has no limit, or it carries calls that nobody sees. */
export function dangerOf({
  name,
  selector,
  inputs,
}: {
  readonly name: string
  readonly selector: Hex
  readonly inputs: readonly AbiParameter[]
}): 'unlimited' | 'hidden-calls' | undefined {
  // By both: a page may call a function anything, as long as its selector comes out the same.
  if (names.has(name.toLowerCase()) || selectors.has(selector)) return 'unlimited'
  return inputs.some(carriesBytes) ? 'hidden-calls' : undefined
}

function carriesBytes(input: AbiParameter): boolean {
  if (/^bytes(\[|$)/.test(input.type)) return true
  return 'components' in input && input.components.some(carriesBytes)
}
