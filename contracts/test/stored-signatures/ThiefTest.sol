// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {BonusHook} from "../../src/BonusHook.sol";
import {BonusBounds, BonusCaps, BonusRamp, BonusTerms} from "../../src/interfaces/IBonusHook.sol";
import {ITaskMarket} from "../../src/interfaces/ITaskMarket.sol";
import {ClaimTo} from "../../src/interfaces/ISponsoredVault.sol";
import {LocalRewardToken} from "../../src/local/LocalRewardToken.sol";
import {Authorization, SuffixRule} from "../../src/types/RelayTypes.sol";
import {CreateTaskParams, UpdateTaskParams} from "../../src/types/TaskTypes.sol";
import {SponsoredTest} from "../sponsored/support/SponsoredTest.sol";
import {Relay} from "../support/Relay.sol";

/// @title A thief with the only relayer key, and a wallet whose signatures it holds
/// @notice The wallet has tasks to cancel, claim, deliver and take back, a reward of a vault and a bonus to withdraw, so that
/// each of its signatures acts where the wallet meant it to. Of each act there are two: the signed one and another one.
abstract contract ThiefTest is SponsoredTest {
    bytes32 internal constant SALT = "salt";
    bytes32 internal constant NONCE = "nonce";
    uint256 internal constant FEE_VALUE = 1000;

    uint256 internal key = 0xA11CE9;
    address internal wallet;
    address internal thief = makeAddr("thief");
    uint256 internal agentId;
    uint256 internal validBefore;
    BonusHook internal bonus;

    /// @dev Open bounties of the requester, claims that are open, and the same after one forfeit.
    bytes32[2] internal bounties;
    bytes32[2] internal claims;
    bytes32[2] internal reopened;

    /// @dev Tasks of the wallet: bounties that it can cancel, and claims whose workers did not deliver.
    bytes32[2] internal cancellable;
    bytes32[2] internal expired;
    ClaimTo private _claim;

    /// @dev Makes the state in which `account` signs.
    function prepare(address account) internal {
        wallet = account;
        fund(account);
        _letTheThiefRelay();
        bytes32 rewarded = createSponsored();
        _deliver(rewarded);
        hook.installSettlement(rewarded, asList(account), amountsOf(REWARD));
        _openBonus();
        _deliver(createBounty());
        for (uint256 i; i < 2; i++) {
            bounties[i] = create(_lasting(aBounty(), i));
            claims[i] = create(_lasting(_freeClaim(), i));
            cancellable[i] = _createOwn(_lasting(aBounty(), i));
            expired[i] = _createOwn(_freeClaim());
            reopened[i] = create(_freeClaim());
            claim(expired[i], bob);
            claim(reopened[i], bob);
        }
        vm.warp(block.timestamp + DURATION);
        for (uint256 i; i < 2; i++) {
            _reopen(reopened[i]);
        }
        validBefore = block.timestamp + 300;
        _claim = aClaimOf(rewarded);
        (_claim.worker, _claim.nonce) = (account, vault.nonceOf(account));
    }

    // --- Acts, of which the second is another one than the signed one ---

    function cancelData(uint256 act) internal view returns (bytes memory) {
        return abi.encodeCall(market.cancelTask, (cancellable[act]));
    }

    function claimData(uint256 act) internal view returns (bytes memory) {
        return abi.encodeCall(market.claimTask, (claims[act], 0));
    }

    function laterClaimData(uint256 act) internal view returns (bytes memory) {
        return abi.encodeCall(market.claimTask, (reopened[act], 0));
    }

    /// @dev The task is the same: a text without its content does not say which work is delivered.
    function submitData(uint256 act) internal view returns (bytes memory) {
        return abi.encodeCall(market.submitWork, (bounties[0], act == 0 ? bytes32("work") : bytes32("other work")));
    }

    function forfeitData(uint256 act) internal view returns (bytes memory) {
        return abi.encodeCall(market.forfeitAndReopen, (expired[act]));
    }

    function rewardClaim(uint256 act) internal view returns (ClaimTo memory rewarded) {
        rewarded = _claim;
        if (act == 1) rewarded.destination = thief;
    }

    // --- Authorizations ---

    function plainPayment() internal view returns (Authorization memory) {
        return Relay.authorizationOf(wallet, FEE_VALUE, "plain");
    }

    function boundPayment() internal view returns (Authorization memory) {
        return Relay.authorizationOf(wallet, FEE_VALUE, forwarder.boundNonceOf(address(market), cancelData(0), 0, SALT));
    }

    function withdrawal() internal view returns (Authorization memory) {
        return Relay.authorizationOf(wallet, FEE_VALUE, "withdrawal");
    }

    // --- Steps ---

    function _letTheThiefRelay() private {
        vm.startPrank(owner);
        forwarder.setRelayer(thief, true);
        forwarder.setRelayer(relayer, false);
        vm.stopPrank();
        allowPaid(ITaskMarket.cancelTask.selector);
        allow(address(market), ITaskMarket.claimTask.selector, 7, SuffixRule.Round, "claim");
        allow(address(market), ITaskMarket.submitWork.selector, 7, SuffixRule.Content, "submit");
        allow(address(market), ITaskMarket.forfeitAndReopen.selector, 4, SuffixRule.Round, "forfeit");
        vm.prank(thief);
        agentId = identity.register();
    }

    function _openBonus() private {
        LocalRewardToken rewardToken = LocalRewardToken(deploy("LocalRewardToken", abi.encode(address(this))));
        BonusRamp memory ramp;
        ramp.multiplierBps = [uint16(10_000), 10_000, 10_000, 10_000];
        uint48 uncapped = type(uint48).max;
        BonusHook.Setup memory setup = BonusHook.Setup({
            owner: owner,
            market: address(market),
            token: address(rewardToken),
            terms: BonusTerms({tokenPerUsdc: 10e18, bonusBps: 750, workerSplitBps: 8000}),
            bounds: BonusBounds({maxBonusPerFeeBps: 10_000, maxRateDriftBps: 20_000}),
            caps: BonusCaps(uncapped, uncapped, uncapped, uncapped, type(uint128).max),
            ramp: ramp
        });
        bonus = BonusHook(deploy("BonusHook", abi.encode(setup)));
        rewardToken.mint(address(bonus), 1000e18);
        vm.prank(owner);
        market.setDefaultHooks(asList(address(bonus)));
    }

    function _deliver(bytes32 taskId) private {
        submit(taskId, wallet, "w1");
        accept(taskId, wallet, "w1");
    }

    function _createOwn(CreateTaskParams memory params) private returns (bytes32) {
        vm.prank(wallet);
        return market.createTask(params);
    }

    function _reopen(bytes32 taskId) private {
        UpdateTaskParams memory params = anUpdate(taskId);
        params.expiryTime = uint40(block.timestamp + DURATION);
        vm.startPrank(requester);
        market.forfeitAndReopen(taskId);
        market.updateTask(params);
        vm.stopPrank();
    }

    function _freeClaim() private pure returns (CreateTaskParams memory params) {
        params = aClaim();
        params.stakeBps = 0;
    }

    /// @dev Open while others have expired; each with a text of its own.
    function _lasting(CreateTaskParams memory params, uint256 index) private pure returns (CreateTaskParams memory) {
        (params.duration, params.contentHash) = (10 * DURATION, keccak256(abi.encode(index)));
        return params;
    }
}
