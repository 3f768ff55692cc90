// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// A resolver of ENS names whose records are at a gateway (ERC-3668, ENSIP-10). Accepts the responses that `signer` has signed, in
/// the format of ENS's OffchainResolver.
contract TestOffchainResolver {
    error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callbackFunction, bytes extraData);

    string public url;
    address public immutable signer;

    constructor(string memory url_, address signer_) {
        url = url_;
        signer = signer_;
    }

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x9061b923 || id == 0x01ffc9a7;
    }

    function resolve(bytes calldata name, bytes calldata data) external view returns (bytes memory) {
        bytes memory callData = abi.encodeWithSelector(this.resolve.selector, name, data);
        string[] memory urls = new string[](1);
        urls[0] = url;
        revert OffchainLookup(
            address(this), urls, callData, this.resolveWithProof.selector, abi.encode(callData, address(this))
        );
    }

    function resolveWithProof(bytes calldata response, bytes calldata extraData) external view returns (bytes memory) {
        (bytes memory request, address sender) = abi.decode(extraData, (bytes, address));
        (bytes memory result, uint64 expires, bytes memory signature) = abi.decode(response, (bytes, uint64, bytes));
        require(expires >= block.timestamp, "expired");
        bytes32 hash =
            keccak256(abi.encodePacked(hex"1900", sender, expires, keccak256(request), keccak256(result)));
        require(signature.length == 65, "length");
        bytes32 r;
        bytes32 s;
        assembly {
            r := mload(add(signature, 32))
            s := mload(add(signature, 64))
        }
        require(ecrecover(hash, uint8(signature[64]), r, s) == signer, "signer");
        return result;
    }
}
