// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

interface Registry {
    function resolver(bytes32 node) external view returns (address);
}

interface ReverseResolver {
    function name(bytes32 node) external view returns (string memory);
}

struct GatewayQuery {
    address sender;
    string[] urls;
    bytes data;
}

interface BatchGateway {
    function query(GatewayQuery[] memory queries) external view returns (bool[] memory failures, bytes[] memory responses);
}

/// The part of ENS's UniversalResolver that clients call, for local chains. It finds the resolver of a name or of the nearest
/// parent (ENSIP-10), and passes on references to gateways (ERC-3668) through a batch gateway (ENSIP-21). Unlike the real contract, it does not check that a reverse
/// record resolves back to its address, so that tests prove that the client does.
contract TestUniversalResolver {
    error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callbackFunction, bytes extraData);
    error ResolverNotFound(bytes name);
    error ResolverError(bytes errorData);
    error GatewayError(bytes response);

    bytes4 private constant extendedResolver = 0x9061b923;
    bytes32 private constant reverseNode = 0x91d1777781884d03a6757a803996e38de2a42967fb37eeaca72729271025a9e2;
    Registry private immutable registry;

    constructor(Registry registry_) {
        registry = registry_;
    }

    function resolveWithGateways(bytes calldata name, bytes calldata data, string[] calldata gateways)
        external
        view
        returns (bytes memory, address)
    {
        (address resolver, bool isExact) = find(name);
        (bool hasInterface, bytes memory answer) =
            resolver.staticcall(abi.encodeWithSelector(0x01ffc9a7, extendedResolver));
        bool isExtended = hasInterface && answer.length == 32 && abi.decode(answer, (bool));
        if (!isExtended && !isExact) revert ResolverNotFound(name);
        bytes memory call = isExtended ? abi.encodeWithSelector(extendedResolver, name, data) : data;
        (bool isOk, bytes memory result) = resolver.staticcall(call);
        if (!isOk) pass(resolver, result, gateways);
        return (isExtended ? abi.decode(result, (bytes)) : result, resolver);
    }

    function lookupCallback(bytes calldata response, bytes calldata extraData)
        external
        view
        returns (bytes memory, address)
    {
        (address resolver, bytes4 callback, bytes memory inner) = abi.decode(extraData, (address, bytes4, bytes));
        (bool[] memory failures, bytes[] memory responses) = abi.decode(response, (bool[], bytes[]));
        if (failures[0]) revert GatewayError(responses[0]);
        (bool isOk, bytes memory result) = resolver.staticcall(abi.encodeWithSelector(callback, responses[0], inner));
        if (!isOk) revert ResolverError(result);
        return (abi.decode(result, (bytes)), resolver);
    }

    function reverseWithGateways(bytes calldata account, uint256, string[] calldata)
        external
        view
        returns (string memory, address, address)
    {
        bytes32 node = keccak256(abi.encodePacked(reverseNode, keccak256(hexOf(account))));
        address resolver = registry.resolver(node);
        if (resolver == address(0)) revert ResolverNotFound(account);
        return (ReverseResolver(resolver).name(node), resolver, resolver);
    }

    function pass(address resolver, bytes memory data, string[] calldata gateways) private view {
        if (data.length < 4 || bytes4(data) != OffchainLookup.selector) revert ResolverError(data);
        bytes memory fields = new bytes(data.length - 4);
        for (uint256 i; i < fields.length; i++) fields[i] = data[i + 4];
        (, string[] memory urls, bytes memory callData, bytes4 callback, bytes memory extra) =
            abi.decode(fields, (address, string[], bytes, bytes4, bytes));
        GatewayQuery[] memory queries = new GatewayQuery[](1);
        queries[0] = GatewayQuery(resolver, urls, callData);
        revert OffchainLookup(
            address(this),
            gateways,
            abi.encodeCall(BatchGateway.query, (queries)),
            this.lookupCallback.selector,
            abi.encode(resolver, callback, extra)
        );
    }

    function find(bytes calldata name) private view returns (address resolver, bool isExact) {
        for (uint256 i; i < name.length; i += 1 + uint8(name[i])) {
            resolver = registry.resolver(nodeAt(name, i));
            if (resolver != address(0)) return (resolver, i == 0);
            if (name[i] == 0) break;
        }
        revert ResolverNotFound(name);
    }

    function nodeAt(bytes calldata name, uint256 i) private pure returns (bytes32) {
        uint256 length = uint8(name[i]);
        if (length == 0) return 0;
        bytes32 label = keccak256(name[i + 1:i + 1 + length]);
        return keccak256(abi.encodePacked(nodeAt(name, i + 1 + length), label));
    }

    function hexOf(bytes calldata data) private pure returns (bytes memory text) {
        bytes16 digits = "0123456789abcdef";
        text = new bytes(data.length * 2);
        for (uint256 i; i < data.length; i++) {
            text[2 * i] = digits[uint8(data[i]) >> 4];
            text[2 * i + 1] = digits[uint8(data[i]) & 15];
        }
    }
}
