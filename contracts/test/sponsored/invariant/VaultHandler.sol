// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Vm} from "forge-std/Vm.sol";
import {SponsoredTasksHook} from "../../../src/SponsoredTasksHook.sol";
import {TaskMarket} from "../../../src/TaskMarket.sol";
import {FundingTerms} from "../../../src/interfaces/ISponsoredTasksHook.sol";
import {ChargeState, ClaimTo, ISponsoredVault, VaultCharge} from "../../../src/interfaces/ISponsoredVault.sol";
import {Modes} from "../../../src/types/Modes.sol";
import {RewardMath} from "../../../src/sponsored/RewardMath.sol";
import {CreateTaskParams, Status, TaskView, Winner} from "../../../src/types/TaskTypes.sol";
import {HostileToken} from "../../support/HostileToken.sol";
import {SponsoredTest} from "../support/SponsoredTest.sol";

/// @title Eight accounts that create, do and claim sponsored tasks, and an owner who uses every right over the vault
/// @notice All accounts are managers and workers. A refused call is no error: the laws hold all the same.
contract VaultHandler is SponsoredTest {
    uint256 public constant ACTORS = 8;
    uint256 private constant FIRST_KEY = 0x5A017000;

    /// @dev The awards of a task, in their order.
    struct Awards {
        address[] workers;
        uint256[] amounts;
    }

    /// @dev Stored: to compute an address from its key takes longer than most calls.
    address[ACTORS] private _actors;
    mapping(address actor => uint256) private _keyOf;

    bytes32[] private _all;
    /// @dev Charges without a task, of the owner's own hook.
    bytes32[] private _own;
    mapping(bytes32 taskId => Awards) private _awards;
    bytes32 private _dice;
    bytes private _lastClaim;

    /// @dev Tokens that came past `fund` and are there.
    uint256 public donated;
    uint256 public claims;
    uint256 public reconciled;
    uint256 public overCap;
    mapping(bytes32 leaf => uint256) public timesPaid;
    uint256 public mostTimesPaid;

    function adopt(
        TaskMarket market_,
        SponsoredTasksHook hook_,
        ISponsoredVault vault_,
        HostileToken token_,
        address sponsor_
    ) external {
        (market, hook, vault, token, sponsor) = (market_, hook_, vault_, token_, sponsor_);
        factory = hook.factory();
        for (uint256 i; i < ACTORS; i++) {
            _actors[i] = vm.addr(FIRST_KEY + i);
            _keyOf[_actors[i]] = FIRST_KEY + i;
        }
    }

    modifier step(uint256 seed) {
        _dice = keccak256(abi.encode(_dice, seed));
        _;
    }

    function actorAt(uint256 index) public view returns (address) {
        return _actors[index % ACTORS];
    }

    // --- The owner ---

    function manage(uint256 seed) external step(seed) {
        uint256 action = _roll(8);
        address manager = actorAt(_roll(ACTORS));
        vm.startPrank(sponsor);
        if (action < 3) vault.setManager(manager, uint128(_roll(500e18)), !_oneIn(6));
        if (action == 3) vault.setFeeCredit(uint128(_roll(100e18)));
        if (action == 4) vault.setCharger(address(hook), !_oneIn(4));
        if (action == 5) {
            _try(address(vault), abi.encodeCall(vault.withdrawAvailable, (sponsor, uint128(_roll(50e18)))));
        }
        if (action == 6 && _oneIn(2)) _try(address(vault), abi.encodeCall(vault.announceExit, ()));
        if (action == 7 && vault.exitAt() > block.timestamp && _oneIn(2)) vm.warp(vault.exitAt());
        if (action == 7) _try(address(vault), abi.encodeCall(vault.exit, (sponsor)));
        vm.stopPrank();
        if (vault.isExited()) donated = 0;
    }

    function pay(uint256 seed) external step(seed) {
        if (_oneIn(8)) {
            donated += vault.isExited() ? 0 : 1e18;
            if (!vault.isExited()) token.mint(address(vault), 1e18);
            return;
        }
        token.mint(sponsor, 100e18);
        vm.startPrank(sponsor);
        token.approve(address(vault), type(uint256).max);
        _try(address(vault), abi.encodeCall(vault.fund, (_roll(100e18))));
        vm.stopPrank();
    }

    /// @dev The token may fail, charge, burn, list accounts, return nothing or call back; it works most of the time.
    function turnToken(uint256 seed) external step(seed) {
        if (_oneIn(2)) return token.script(HostileToken.Behaviour.None);
        HostileToken.Behaviour behaviour = HostileToken.Behaviour(_roll(10));
        token.script(behaviour);
        if (behaviour == HostileToken.Behaviour.Blacklist) {
            token.scriptBlacklist(_oneIn(3) ? address(vault) : actorAt(_roll(ACTORS)), !_oneIn(3));
        }
        if (behaviour == HostileToken.Behaviour.CallBack) _scriptCallback();
    }

    /// @dev Calls back in the middle of a transfer: the last claim again, the fees, a settlement, or more funds.
    function _scriptCallback() private {
        uint256 action = _roll(4);
        if (action == 0) token.scriptCallback(address(vault), _lastClaim);
        if (action == 1) token.scriptCallback(address(vault), abi.encodeCall(vault.collectFees, ()));
        if (action == 2) token.scriptCallback(address(vault), abi.encodeCall(vault.fund, (0)));
        if (action < 3 || _all.length == 0) return;
        bytes32 taskId = _all[_roll(_all.length)];
        Awards memory awards = _awards[taskId];
        token.scriptCallback(
            address(hook), abi.encodeCall(hook.installSettlement, (taskId, awards.workers, awards.amounts))
        );
    }

    /// @dev Makes the vault miss endings from now on, or receive them again.
    function turnVault(uint256 seed) external step(seed) {
        vm.clearMockedCalls();
        if (!_oneIn(3)) return;
        vm.mockCallRevert(address(vault), abi.encodeWithSelector(vault.credit.selector), "broken");
        vm.mockCallRevert(address(vault), abi.encodeWithSelector(vault.release.selector), "broken");
    }

    // --- Tasks ---

    function create(uint256 seed) external step(seed) {
        CreateTaskParams memory params;
        params.mode = _oneIn(3) ? Modes.CLAIM : Modes.BOUNTY;
        params.reward = uint96(1000 + _roll(_oneIn(3) ? 100 : 1000e6));
        params.duration = 10 days;
        params.hooks = asList(address(hook));
        address manager = actorAt(_roll(ACTORS));
        FundingTerms memory terms = FundingTerms({
            version: 1,
            vaultId: vault.vaultId(),
            manager: manager,
            gross: _oneIn(4) ? 1 + _roll(10) : 1 + _roll(100e18),
            epoch: vault.epoch(),
            feeBps: market.feeBps(),
            termsHash: termsHashOf(params)
        });
        params.hookData = abi.encode(terms);
        vm.prank(manager);
        try market.createTask(params) returns (bytes32 taskId) {
            _all.push(taskId);
            if (vault.managerOf(manager).spent > vault.managerOf(manager).spendCap) overCap++;
        } catch {}
    }

    function advance(uint256 seed) external step(seed) {
        if (_all.length == 0) return;
        bytes32 taskId = _all[_roll(_all.length)];
        TaskView memory task = market.getTask(taskId);
        address worker = actorAt(_roll(ACTORS));
        if (task.status == Status.Open && task.mode == Modes.CLAIM) {
            _as(worker, abi.encodeCall(market.claimTask, (taskId, 0)));
        } else if (task.status == Status.Claimed) {
            _as(task.worker, abi.encodeCall(market.submitWork, (taskId, "x")));
        } else if (task.status == Status.Open && task.activeSubmissions < 2) {
            _as(worker, abi.encodeCall(market.submitWork, (taskId, "x")));
        } else {
            _end(taskId, task);
        }
    }

    function passTime(uint256 seed) external step(seed) {
        vm.warp(block.timestamp + _roll(3 days));
        if (_all.length == 0) return;
        bytes32 taskId = _all[_roll(_all.length)];
        _as(actorAt(0), abi.encodeCall(market.refundExpired, (taskId)));
    }

    function _end(bytes32 taskId, TaskView memory task) private {
        if (task.status >= Status.Completed) return;
        if (_oneIn(5)) {
            _as(task.requester, abi.encodeCall(market.cancelTask, (taskId)));
        } else if (task.mode == Modes.CLAIM) {
            _complete(
                taskId, abi.encodeCall(market.acceptSubmission, (taskId, task.worker, "x")), task, asList(task.worker)
            );
        } else {
            _split(taskId, task);
        }
    }

    /// @dev Among the first two who submitted, in uneven parts.
    function _split(bytes32 taskId, TaskView memory task) private {
        address[] memory workers = new address[](2);
        uint256 count;
        for (uint256 i; i < ACTORS && count < 2; i++) {
            if (market.entryOf(taskId, actorAt(i)).active > 0) workers[count++] = actorAt(i);
        }
        if (count == 0) return;
        if (count == 1) workers = asList(workers[0]);
        Winner[] memory winners = new Winner[](count);
        uint16 first = count == 1 ? 10_000 : uint16(1 + _roll(9_998));
        winners[0] = Winner(workers[0], first, "x");
        if (count == 2) winners[1] = Winner(workers[1], 10_000 - first, "x");
        _complete(taskId, abi.encodeCall(market.acceptSubmissions, (taskId, winners)), task, workers);
    }

    function _complete(bytes32 taskId, bytes memory data, TaskView memory task, address[] memory workers) private {
        vm.recordLogs();
        if (!_as(task.requester, data)) return;
        uint256[] memory amounts = new uint256[](workers.length);
        uint256 count;
        Vm.Log[] memory logs = vm.getRecordedLogs();
        for (uint256 i; i < logs.length; i++) {
            if (logs[i].emitter != address(market) || logs[i].topics[0] != TaskCompleted.selector) continue;
            (, amounts[count++]) = abi.decode(logs[i].data, (uint256, uint256));
        }
        _awards[taskId] = Awards(workers, amounts);
    }

    // --- Settlements and claims ---

    function settle(uint256 seed) external step(seed) {
        if (_all.length == 0) return;
        bytes32 taskId = _all[_roll(_all.length)];
        Awards memory awards = _awards[taskId];
        bytes memory data = abi.encodeCall(hook.reconcile, (taskId, awards.workers, awards.amounts));
        if (_try(address(hook), data)) reconciled++;
        _try(address(hook), abi.encodeCall(hook.installSettlement, (taskId, awards.workers, awards.amounts)));
    }

    function claim(uint256 seed) external step(seed) {
        if (_all.length == 0) return;
        bytes32 taskId = _all[_roll(_all.length)];
        Awards memory awards = _awards[taskId];
        if (awards.workers.length == 0) return;
        (ClaimTo memory claim_, bytes32[] memory proof) = _claimOf(taskId, awards, _roll(awards.workers.length));
        claim_.destination = actorAt(_roll(ACTORS));
        if (!_claim(claim_, proof)) return;
        // A worker who signs again is not paid again.
        claim_.nonce++;
        _claim(claim_, proof);
    }

    function _claim(ClaimTo memory claim_, bytes32[] memory proof) private returns (bool ok) {
        _lastClaim = abi.encodeCall(vault.claimTo, (claim_, proof, signClaim(_keyOf[claim_.worker], claim_)));
        ok = _try(address(vault), _lastClaim);
        if (!ok) return false;
        claims++;
        bytes32 leaf = keccak256(abi.encode(claim_.taskId, claim_.index));
        timesPaid[leaf]++;
        if (timesPaid[leaf] > mostTimesPaid) mostTimesPaid = timesPaid[leaf];
    }

    /// @dev Returns what the worker of an award can claim, with its proof: a task has two awards at most.
    function _claimOf(bytes32 taskId, Awards memory awards, uint256 index)
        private
        view
        returns (ClaimTo memory claim_, bytes32[] memory proof)
    {
        uint256[] memory earned = _earnedOf(taskId, awards);
        claim_ = aClaimOf(taskId);
        (claim_.worker, claim_.index, claim_.amount) = (awards.workers[index], index, earned[index]);
        claim_.nonce = vault.nonceOf(claim_.worker);
        if (earned.length < 2 || earned[1 - index] == 0) return (claim_, new bytes32[](0));
        proof = new bytes32[](1);
        proof[0] = leafOf(taskId, 1 - index, awards.workers[1 - index], earned[1 - index]);
    }

    /// @dev The owner as a hook settles a root that promises twice what it credits.
    function cheat(uint256 seed) external step(seed) {
        bytes32 taskId = keccak256(abi.encode("own", _dice));
        address worker = actorAt(_roll(ACTORS));
        uint128 credited = uint128(1 + _roll(1e18));
        try this.ownSettlement(taskId, credited, leafOf(taskId, 0, worker, 2 * credited)) {}
        catch {
            vm.stopPrank();
            return;
        }
        _own.push(taskId);
        ClaimTo memory claim_ = aClaimOf(taskId);
        (claim_.worker, claim_.amount, claim_.nonce) = (worker, 2 * credited, vault.nonceOf(worker));
        _claim(claim_, new bytes32[](0));
    }

    function ownSettlement(bytes32 taskId, uint128 credited, bytes32 root) external {
        chargeAndSettle(taskId, credited, root);
    }

    function collect(uint256 seed) external step(seed) {
        _try(address(vault), abi.encodeCall(vault.collectFees, ()));
    }

    /// @dev The owner does its worst: it stops every other account, takes what it can and announces its exit.
    function turnHostile() external {
        vm.startPrank(sponsor);
        vault.setCharger(address(hook), false);
        vault.setFeeCredit(0);
        for (uint256 i; i < ACTORS; i++) {
            vault.setManager(actorAt(i), 0, false);
        }
        _try(address(vault), abi.encodeCall(vault.withdrawAvailable, (sponsor, vault.totals().available)));
        _try(address(vault), abi.encodeCall(vault.announceExit, ()));
        vm.stopPrank();
        if (block.timestamp < vault.exitAt()) vm.warp(vault.exitAt() - 1);
    }

    /// @dev Pays every unpaid award: reports missed endings, installs settlements. Any refusal reverts.
    /// @return sum What the workers were paid.
    function claimAll(address to) external returns (uint256 sum) {
        for (uint256 i; i < _all.length; i++) {
            bytes32 taskId = _all[i];
            Awards memory awards = _awards[taskId];
            if (awards.workers.length == 0 || vault.chargeOf(taskId).epoch != vault.epoch()) continue;
            if (vault.chargeOf(taskId).state == ChargeState.Reserved) {
                hook.reconcile(taskId, awards.workers, awards.amounts);
            }
            if (vault.chargeOf(taskId).state == ChargeState.Credited) {
                hook.installSettlement(taskId, awards.workers, awards.amounts);
            }
            for (uint256 index; index < awards.workers.length; index++) {
                sum += _claimUnpaid(taskId, awards, index, to);
            }
        }
    }

    function _claimUnpaid(bytes32 taskId, Awards memory awards, uint256 index, address to) private returns (uint256) {
        (ClaimTo memory claim_, bytes32[] memory proof) = _claimOf(taskId, awards, index);
        claim_.destination = to;
        bool isOpen = vault.chargeOf(taskId).state == ChargeState.Settled && claim_.amount > 0
            && vault.paidOf(taskId) & 2 ** index == 0;
        if (!isOpen) return 0;
        vault.claimTo(claim_, proof, signClaim(_keyOf[claim_.worker], claim_));
        return claim_.amount;
    }

    /// @dev Returns what the owner's own hook credited and paid to no worker: its roots promise too much.
    function owedByOwnHook() external view returns (uint256 owed) {
        for (uint256 i; i < _own.length; i++) {
            VaultCharge memory charge = vault.chargeOf(_own[i]);
            if (charge.epoch == vault.epoch()) owed += charge.credited - charge.paid;
        }
    }

    // --- What the laws compare ---

    /// @return reserved Of charges that are undecided.
    /// @return owed Of credits that are not claimed.
    function sums() external view returns (uint256 reserved, uint256 owed, bool isOverpaid) {
        uint64 epoch = vault.epoch();
        for (uint256 i; i < _all.length + _own.length; i++) {
            bytes32 taskId = i < _all.length ? _all[i] : _own[i - _all.length];
            VaultCharge memory charge = vault.chargeOf(taskId);
            isOverpaid = isOverpaid || charge.paid > charge.credited;
            if (charge.epoch != epoch) continue;
            if (charge.state == ChargeState.Reserved) reserved += charge.gross;
            else owed += charge.credited - charge.paid;
        }
    }

    /// @dev Returns the hash of every task's status and every account's USDC.
    function hashOfMarket() external view returns (bytes32 hash) {
        for (uint256 i; i < _all.length; i++) {
            TaskView memory task = market.getTask(_all[i]);
            hash = keccak256(abi.encode(hash, task.status, task.escrow, task.worker, task.awardCount));
        }
        for (uint256 i; i < ACTORS; i++) {
            hash = keccak256(abi.encode(hash, usdc.balanceOf(actorAt(i)), market.creditOf(actorAt(i))));
        }
        return keccak256(abi.encode(hash, usdc.balanceOf(market.feeRecipient()), market.totalEscrow()));
    }

    function taskCount() external view returns (uint256) {
        return _all.length;
    }

    function steps() external pure returns (bytes4[] memory selectors) {
        selectors = new bytes4[](17);
        (selectors[0], selectors[1], selectors[2]) = (this.manage.selector, this.pay.selector, this.create.selector);
        (selectors[3], selectors[4], selectors[5]) = (this.advance.selector, this.settle.selector, this.claim.selector);
        (selectors[6], selectors[7]) = (this.collect.selector, this.turnToken.selector);
        (selectors[8], selectors[9]) = (this.turnVault.selector, this.passTime.selector);
        (selectors[10], selectors[11], selectors[12]) =
        (this.create.selector, this.advance.selector, this.advance.selector);
        (selectors[13], selectors[14], selectors[15]) = (this.settle.selector, this.claim.selector, this.claim.selector);
        selectors[16] = this.cheat.selector;
    }

    function _earnedOf(bytes32 taskId, Awards memory awards) private view returns (uint256[] memory) {
        VaultCharge memory charge = vault.chargeOf(taskId);
        address requester_ = market.getTask(taskId).requester;
        uint256 base = market.contextOf(taskId).reward;
        return RewardMath.earnedOf(charge.gross - charge.fee, base, requester_, awards.workers, awards.amounts);
    }

    function _as(address actor, bytes memory data) private returns (bool) {
        vm.prank(actor);
        return _try(address(market), data);
    }

    function _try(address target, bytes memory data) private returns (bool ok) {
        (ok,) = target.call(data);
    }

    function _oneIn(uint256 count) private returns (bool) {
        return _roll(count) == 0;
    }

    function _roll(uint256 count) private returns (uint256) {
        _dice = keccak256(abi.encode(_dice));
        return uint256(_dice) % count;
    }
}
