/** The addresses of Permit2, which can move all tokens that are approved for it. The second one is that on zkSync Era. */
const permit2 = ['0x000000000022d473030f116ddee9f6b43ac78ba3', '0x0000000000225e31d15943971f47ad3022f714fa']

/** The selectors of functions that move assets, or allow others to. None of them is a swap. */
const selectors: ReadonlySet<string> = new Set([
  // ERC-20
  'a9059cbb', // transfer(address,uint256)
  '23b872dd', // transferFrom(address,address,uint256), also ERC-721
  '095ea7b3', // approve(address,uint256), also ERC-721
  '39509351', // increaseAllowance(address,uint256)
  'd73dd623', // increaseApproval(address,uint256)
  '42966c68', // burn(uint256)
  '79cc6790', // burnFrom(address,uint256)
  '205c2878', // withdrawTo(address,uint256)
  '8fcb4e5b', // transferShares(address,uint256)
  '88d695b2', // batchTransfer(address[],uint256[])
  // Permits: EIP-2612 and its forms with a signature in bytes, DAI, ERC-4494
  'd505accf', // permit(address,address,uint256,uint256,uint8,bytes32,bytes32)
  '8fcbaf0c', // permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)
  '9fd5a6cf', // permit(address,address,uint256,uint256,bytes)
  '745a41bc', // permit(address,uint256,uint256,bytes)
  '7ac2ff7b', // permit(address,uint256,uint256,uint8,bytes32,bytes32)
  'ab84ee6f', // permitForAll(address,address,uint256,bytes)
  // ERC-3009
  'e3ee160e', // transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)
  'cf092995', // transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,bytes)
  // Permit2
  '87517c45', // approve(address,address,uint160,uint48)
  '36c78516', // transferFrom(address,address,uint160,address)
  '0d58b1db', // transferFrom((address,address,uint160,address)[])
  '2b67b570', // permit(address,((address,uint160,uint48,uint48),address,uint256),bytes)
  '2a2d80d1', // permit(address,((address,uint160,uint48,uint48)[],address,uint256),bytes)
  '30f28b7a', // permitTransferFrom(((address,uint256),uint256,uint256),(address,uint256),address,bytes)
  'edd9444b', // permitTransferFrom(((address,uint256)[],uint256,uint256),(address,uint256)[],address,bytes)
  // ERC-677, ERC-1363, ERC-223
  '4000aea0', // transferAndCall(address,uint256,bytes)
  '1296ee62', // transferAndCall(address,uint256)
  'c1d34b89', // transferFromAndCall(address,address,uint256,bytes)
  'd8fbe994', // transferFromAndCall(address,address,uint256)
  'cae9ca51', // approveAndCall(address,uint256,bytes)
  '3177029f', // approveAndCall(address,uint256)
  'be45fd62', // transfer(address,uint256,bytes)
  // ERC-721, ERC-1155, ERC-6909 and CryptoPunks
  '42842e0e', // safeTransferFrom(address,address,uint256)
  'b88d4fde', // safeTransferFrom(address,address,uint256,bytes)
  'f242432a', // safeTransferFrom(address,address,uint256,uint256,bytes)
  '2eb2c2d6', // safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)
  'a22cb465', // setApprovalForAll(address,bool)
  '095bcdb6', // transfer(address,uint256,uint256)
  'fe99049a', // transferFrom(address,address,uint256,uint256)
  '426a8493', // approve(address,uint256,uint256)
  '558a7297', // setOperator(address,bool)
  '8b72a2ec', // transferPunk(address,uint256)
  'bf31196f', // offerPunkForSaleToAddress(uint256,uint256,address)
  // ERC-777
  '9bd9bbc6', // send(address,uint256,bytes)
  '959b8c3f', // authorizeOperator(address)
  '62ad1b83', // operatorSend(address,address,uint256,bytes,bytes)
  'fe9d9303', // burn(uint256,bytes)
  // Lending, voting and names
  'c04a8a10', // approveDelegation(address,uint256)
  '110496e5', // allow(address,bool)
  'eecea000', // setAuthorization(address,bool)
  '5c19a95c', // delegate(address)
  'c3cda520', // delegateBySig(address,uint256,uint256,uint8,bytes32,bytes32)
  '28ed4f6c', // reclaim(uint256,address)
  // Withdrawals to another address: ERC-4626, Aave, Compound, Lido, positions of Uniswap and Balancer
  'ba087652', // redeem(uint256,address,address)
  'b460af94', // withdraw(uint256,address,address)
  '69328dec', // withdraw(address,uint256,address)
  'c3b35a7e', // withdrawTo(address,address,uint256)
  '26441318', // withdrawFrom(address,address,address,uint256)
  'fc6f7865', // collect((uint256,address,uint128,uint128))
  '80500d20', // withdrawETH(address,uint256,address)
  'd6681042', // requestWithdrawals(uint256[],address)
  'baa2abde', // removeLiquidity(address,address,uint256,uint256,uint256,address,uint256)
  '02751cec', // removeLiquidityETH(address,uint256,uint256,uint256,address,uint256)
  '2195995c', // removeLiquidityWithPermit(address,address,uint256,uint256,uint256,address,uint256,bool,uint8,bytes32,bytes32)
  'ded9382a', // removeLiquidityETHWithPermit(address,uint256,uint256,uint256,address,uint256,bool,uint8,bytes32,bytes32)
  '8bdb3913', // exitPool(bytes32,address,address,(address[],uint256[],bytes,bool))
  // Deposits for another address, which use the approval of the swap: ERC-4626, Aave, Compound, and bridges
  '6e553f65', // deposit(uint256,address)
  '94bf804d', // mint(uint256,address)
  'e8eda9df', // deposit(address,uint256,address,uint16)
  '617ba037', // supply(address,uint256,address,uint16)
  '4232cd63', // supplyTo(address,address,uint256)
  '90323177', // supplyFrom(address,address,address,uint256)
  '6fd3504e', // depositForBurn(uint256,uint32,bytes32,address)
  '838b2520', // depositERC20To(address,address,address,uint256,uint32,bytes)
  '9a2ac6d5', // depositETHTo(address,uint32,bytes)
  // Orders that others execute later
  'ec6cb13f', // setPreSignature(bytes,bool)
  // The ownership of contracts and names
  '5b0fc9c3', // setOwner(bytes32,address)
  'f2fde38b', // transferOwnership(address)
  '13af4035', // setOwner(address)
  '8f283970', // changeAdmin(address)
  '3659cfe6', // upgradeTo(address)
  '4f1ef286', // upgradeToAndCall(address,bytes)
  '2f2ff15d', // grantRole(bytes32,address)
])

/** Whether a function moves assets, or allows others to, by its selector without `0x`. */
export function movesAssets(selector: string): boolean {
  return selectors.has(selector)
}

/** Whether an address in lower case is that of Permit2. */
export function isPermit2(address: string): boolean {
  return permit2.includes(address)
}
