// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IEntryPoint} from "@openzeppelin/contracts/interfaces/IERC4337.sol";
import {PaymasterSigner} from "@openzeppelin/contracts/account/paymaster/extensions/PaymasterSigner.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {SignerECDSA} from "@openzeppelin/contracts/utils/cryptography/signers/SignerECDSA.sol";

/// Sponsors every user operation that its signer has signed. For local chains only.
contract TestPaymaster is PaymasterSigner, SignerECDSA {
    IEntryPoint private immutable _entryPoint;

    constructor(IEntryPoint entryPoint_, address signer_) EIP712("TestPaymaster", "1") SignerECDSA(signer_) {
        _entryPoint = entryPoint_;
    }

    function entryPoint() public view override returns (IEntryPoint) {
        return _entryPoint;
    }

    function deposit() external payable {
        _deposit(msg.value);
    }
}
