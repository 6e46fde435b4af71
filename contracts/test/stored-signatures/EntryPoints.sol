// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IBonusHook} from "../../src/interfaces/IBonusHook.sol";
import {IBoundOnly} from "../../src/interfaces/IBoundOnly.sol";
import {IPaymentForwarder} from "../../src/interfaces/IPaymentForwarder.sol";
import {IPrepaidMoney} from "../../src/interfaces/IPrepaidMoney.sol";
import {ISponsoredVault} from "../../src/interfaces/ISponsoredVault.sol";
import {Authorization} from "../../src/types/RelayTypes.sol";
import {Relay} from "../support/Relay.sol";
import {ThiefTest} from "./ThiefTest.sol";

/// @notice Functions of the deployment and of its standards that accept a signature of a wallet. `relaySigned` counts
/// once for each route and each tail that the thief can have rebuilt.
enum EntryPoint {
    RelayPaid,
    RelayBound,
    RelayPrepaid,
    RefundPrepaid,
    AnnounceRefund,
    Claim,
    ClaimCall,
    ClaimLater,
    ClaimLaterCall,
    Submit,
    SubmitContent,
    SubmitCall,
    Forfeit,
    ForfeitCall,
    SwitchOn,
    SwitchOff,
    Transfer,
    Receive,
    Cancel,
    Permit,
    ClaimReward,
    ClaimRewardAtFactory,
    WithdrawToken,
    AgentWallet
}

/// @notice One try of the thief.
/// @param act 0: the act that the wallet signed, where it signed one of this entry point; 1: another one.
/// @param authorization Of the entry points that take one.
/// @param to Receiver of the authorization at USDC, for act 0.
/// @param content Tail of a submission that is signed with its content.
struct Attempt {
    EntryPoint entry;
    uint256 act;
    Authorization authorization;
    address to;
    string content;
    bytes signature;
}

/// @title The thief's call with a signature at an entry point
abstract contract EntryPoints is ThiefTest {
    /// @notice The entry point took the signature.
    error Acted();

    /// @notice Makes the attempt, and always reverts, so that the next one finds the same state: with Acted, or as the entry
    /// point does.
    function attempt(Attempt calldata a) external {
        if (a.entry <= EntryPoint.AnnounceRefund) _payments(a);
        else if (a.entry <= EntryPoint.ForfeitCall) _messages(a);
        else if (a.entry <= EntryPoint.SwitchOff) _switches(a);
        else if (a.entry <= EntryPoint.Permit) _usdc(a);
        else _others(a);
        revert Acted();
    }

    /// @dev The functions that the entry points call. USDC takes a signature in three parts too, over the same digests.
    function listFunctions() internal pure returns (string[15] memory) {
        return [
            "PaymentForwarder.relayPaid",
            "PaymentForwarder.relayBound",
            "PaymentForwarder.relayPrepaid",
            "PaymentForwarder.refundPrepaid",
            "PaymentForwarder.announceRefund",
            "PaymentForwarder.relaySigned",
            "PaymentForwarder.setBoundOnlyFor",
            "USDC.transferWithAuthorization",
            "USDC.receiveWithAuthorization",
            "USDC.cancelAuthorization",
            "USDC.permit",
            "SponsoredVault.claimTo",
            "SponsoredVaultFactory.claimTo",
            "BonusHook.withdrawFor",
            "IdentityRegistry.setAgentWallet"
        ];
    }

    /// @dev The data that a message can be bound to, the tail of it that is asked for, and its task.
    function messageOf(EntryPoint entry, uint256 act, string memory content)
        internal
        view
        returns (bytes memory data, string memory suffix)
    {
        if (entry == EntryPoint.Claim) return (claimData(act), "");
        if (entry == EntryPoint.ClaimCall) return (claimData(act), ":call");
        if (entry == EntryPoint.ClaimLater) return (laterClaimData(act), ":1");
        if (entry == EntryPoint.ClaimLaterCall) return (laterClaimData(act), ":call");
        if (entry == EntryPoint.Submit) return (submitData(act), "");
        if (entry == EntryPoint.SubmitContent) return (submitData(act), content);
        if (entry == EntryPoint.SubmitCall) return (submitData(act), ":call");
        return (forfeitData(act), entry == EntryPoint.Forfeit ? "" : ":call");
    }

    /// @dev Says that the reason is the entry point's refusal of a signature, and no accident such as an expired window.
    function refusesSignature(EntryPoint entry, bytes memory reason) internal pure returns (bool) {
        if (entry == EntryPoint.RelayBound && _isError(reason, IPaymentForwarder.PaymentNotBound.selector)) {
            return true;
        }
        // A tail of a call is no content.
        if (entry == EntryPoint.SubmitContent && _isError(reason, IPaymentForwarder.InvalidSuffix.selector)) {
            return true;
        }
        if (entry == EntryPoint.Receive && _isText(reason, "FiatTokenV2: caller must be the payee")) return true;
        if (
            entry <= EntryPoint.RelayBound || entry == EntryPoint.Transfer || entry == EntryPoint.Receive
                || entry == EntryPoint.Cancel
        ) {
            return _isText(reason, "FiatTokenV2: invalid signature");
        }
        if (entry <= EntryPoint.AnnounceRefund) {
            return _isError(reason, IPrepaidMoney.InvalidAuthorizationSignature.selector);
        }
        if (entry <= EntryPoint.ForfeitCall) return _isError(reason, IPaymentForwarder.InvalidActorSignature.selector);
        if (entry <= EntryPoint.SwitchOff) return _isError(reason, IBoundOnly.InvalidSwitchSignature.selector);
        if (entry == EntryPoint.Permit) return _isText(reason, "EIP2612: invalid signature");
        if (entry <= EntryPoint.ClaimRewardAtFactory) {
            return _isError(reason, ISponsoredVault.InvalidClaimSignature.selector);
        }
        if (entry == EntryPoint.WithdrawToken) return _isError(reason, IBonusHook.InvalidSignature.selector);
        return _isText(reason, "invalid wallet sig");
    }

    /// @dev Says that a wallet which takes bound calls alone closes the entry point.
    function isPlain(EntryPoint entry) internal pure returns (bool) {
        return entry == EntryPoint.RelayPaid || entry == EntryPoint.RelayPrepaid || entry == EntryPoint.Claim
            || entry == EntryPoint.ClaimLater || entry == EntryPoint.Submit || entry == EntryPoint.SubmitContent
            || entry == EntryPoint.Forfeit;
    }

    /// @dev Another act of a refund is one of another amount.
    function _payments(Attempt calldata a) private {
        Authorization memory authorization = a.authorization;
        bytes memory data = cancelData(a.act);
        if (a.entry >= EntryPoint.RelayPrepaid) {
            Authorization memory plain = plainPayment();
            _settle(plain, address(forwarder), Relay.sign(usdc, key, address(forwarder), plain));
        }
        if (a.entry >= EntryPoint.RefundPrepaid) authorization.value -= a.act;
        vm.prank(thief);
        if (a.entry == EntryPoint.RelayPaid) {
            forwarder.relayPaid("x", authorization, a.signature, 0, address(market), data);
        } else if (a.entry == EntryPoint.RelayBound) {
            forwarder.relayBound("x", authorization, a.signature, 0, SALT, address(market), data);
        } else if (a.entry == EntryPoint.RelayPrepaid) {
            forwarder.relayPrepaid("x", authorization, a.signature, 0, address(market), data);
        } else if (a.entry == EntryPoint.RefundPrepaid) {
            forwarder.refundPrepaid(authorization, a.signature);
        } else {
            forwarder.announceRefund(authorization, a.signature);
        }
    }

    function _messages(Attempt calldata a) private {
        (bytes memory data, string memory suffix) = messageOf(a.entry, a.act, a.content);
        vm.prank(thief);
        forwarder.relaySigned("x", wallet, a.signature, suffix, address(market), data);
    }

    /// @dev Another act is a later end.
    function _switches(Attempt calldata a) private {
        uint256 counter = forwarder.boundOnlyCounter(wallet);
        vm.prank(thief);
        forwarder.setBoundOnlyFor(wallet, a.entry == EntryPoint.SwitchOn, counter, validBefore + a.act, a.signature);
    }

    /// @dev Another act has the thief as receiver, cancels a payment, or permits more.
    function _usdc(Attempt calldata a) private {
        Authorization memory b = a.authorization;
        address to = a.act == 0 ? a.to : thief;
        if (a.entry == EntryPoint.Transfer) {
            _settle(b, to, a.signature);
        } else if (a.entry == EntryPoint.Receive) {
            vm.prank(thief);
            usdc.receiveWithAuthorization(wallet, to, b.value, b.validAfter, b.validBefore, b.nonce, a.signature);
        } else if (a.entry == EntryPoint.Cancel) {
            usdc.cancelAuthorization(wallet, a.act == 0 ? NONCE : bytes32("plain"), a.signature);
        } else {
            usdc.permit(wallet, thief, 1 + a.act, validBefore, a.signature);
        }
    }

    /// @dev Another act has the thief as receiver, or another end.
    function _others(Attempt calldata a) private {
        if (a.entry == EntryPoint.ClaimReward) {
            vault.claimTo(rewardClaim(a.act), new bytes32[](0), a.signature);
        } else if (a.entry == EntryPoint.ClaimRewardAtFactory) {
            factory.claimTo(vault.vaultId(), rewardClaim(a.act), new bytes32[](0), a.signature);
        } else if (a.entry == EntryPoint.WithdrawToken) {
            bonus.withdrawFor(wallet, a.act == 0 ? destination : thief, NONCE, validBefore, a.signature);
        } else {
            vm.prank(thief);
            identity.setAgentWallet(agentId, wallet, validBefore - a.act, a.signature);
        }
    }

    function _settle(Authorization memory a, address to, bytes memory signature) private {
        usdc.transferWithAuthorization(wallet, to, a.value, a.validAfter, a.validBefore, a.nonce, signature);
    }

    function _isError(bytes memory reason, bytes4 selector) private pure returns (bool) {
        return bytes4(reason) == selector;
    }

    function _isText(bytes memory reason, string memory text) private pure returns (bool) {
        return keccak256(reason) == keccak256(abi.encodeWithSignature("Error(string)", text));
    }
}
