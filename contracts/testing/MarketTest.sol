// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Test} from "forge-std/Test.sol";
import {ShippedCode} from "../dist/ShippedCode.sol";
import {ITaskMarket} from "../src/interfaces/ITaskMarket.sol";
import {ITaskMarketEvents} from "../src/interfaces/ITaskMarketEvents.sol";
import {Modes} from "../src/types/Modes.sol";
import {Award, CreateTaskParams, EvaluatorTerms, Verdict} from "../src/types/TaskTypes.sol";

/// @notice The functions of USDC (FiatToken v2.2) that give test accounts their money.
interface IMintableUsdc is IERC20 {
    function initialize(address admin) external;
    function masterMinter() external view returns (address);
    function configureMinter(address minter, uint256 allowance) external returns (bool);
    function mint(address to, uint256 amount) external returns (bool);
}

/// @title Tests of a hook against the market as it is deployed
/// @notice `setUp` deploys the shipped creation code, so the compiler of the test decides nothing about the market. On a fork
/// (`forge test --fork-url URL`) the chain's own USDC pays; elsewhere a stand-in at the address of Base's.
///
/// Example: `bytes32 taskId = createBounty(address(hook)); submit(taskId, alice, "a1"); accept(taskId, alice, "a1");`
abstract contract MarketTest is Test, ITaskMarketEvents {
    /// @dev USDC base units: 10 USDC.
    uint96 internal constant REWARD = 10e6;
    uint40 internal constant DURATION = 1 days;
    uint16 internal constant FEE_BPS = 750;
    address internal constant CREATE2_DEPLOYER = 0x4e59b44847b379578588920cA78FbF26c0B4956C;

    IMintableUsdc internal usdc = IMintableUsdc(
        block.chainid == 84_532
            ? 0x036CbD53842c5426634e7929541eC2318f3dCF7e
            : 0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913
    );
    ITaskMarket internal market;

    address internal requester = makeAddr("requester");
    address internal alice = makeAddr("alice");
    address internal bob = makeAddr("bob");
    address internal evaluator = makeAddr("evaluator");
    address internal resolver = makeAddr("resolver");
    address internal owner = makeAddr("owner");
    address internal feeRecipient = makeAddr("feeRecipient");

    /// @notice Deploys the market and gives the requester and two workers USDC.
    function setUp() public virtual {
        market = _deployMarket();
        fund(requester);
        fund(alice);
        fund(bob);
    }

    // --- Terms ---

    /// @dev A bounty of 10 USDC that is open for a day, with one hook.
    function aBounty(address hook) internal pure returns (CreateTaskParams memory params) {
        params.mode = Modes.BOUNTY;
        params.reward = REWARD;
        params.duration = DURATION;
        params.contentHash = keccak256("content");
        params.hooks = new address[](1);
        params.hooks[0] = hook;
    }

    /// @dev A claim that asks for a stake of a tenth.
    function aClaim(address hook) internal pure returns (CreateTaskParams memory params) {
        params = aBounty(hook);
        (params.mode, params.stakeBps) = (Modes.CLAIM, 1000);
    }

    /// @dev Pitches until half of its time.
    function aPitchTask(address hook) internal pure returns (CreateTaskParams memory params) {
        params = aBounty(hook);
        (params.mode, params.pitchDuration) = (Modes.PITCH, DURATION / 2);
    }

    /// @dev Bids, each below the lowest, until half of its time.
    function anAuction(address hook) internal pure returns (CreateTaskParams memory params) {
        params = aBounty(hook);
        (params.mode, params.auctionType, params.bidDuration) = (Modes.AUCTION, Modes.ENGLISH, DURATION / 2);
    }

    /// @dev With a twentieth for the evaluator, two hours to judge, one hour to appeal.
    function evaluated(CreateTaskParams memory params) internal view returns (CreateTaskParams memory) {
        params.evaluation = EvaluatorTerms({
            evaluator: evaluator, resolver: resolver, feeBps: 500, evaluationWindow: 2 hours, appealWindow: 1 hours
        });
        return params;
    }

    // --- Steps, each by the account that may take it ---

    /// @dev Gives an account 1,000,000 USDC and approves the market to take it.
    function fund(address account) internal {
        vm.prank(usdc.masterMinter());
        usdc.configureMinter(address(this), type(uint256).max);
        usdc.mint(account, 1_000_000e6);
        vm.prank(account);
        usdc.approve(address(market), type(uint256).max);
    }

    function createBounty(address hook) internal returns (bytes32) {
        return create(aBounty(hook));
    }

    function create(CreateTaskParams memory params) internal returns (bytes32) {
        vm.prank(requester);
        return market.createTask(params);
    }

    function claim(bytes32 taskId, address worker) internal {
        vm.prank(worker);
        market.claimTask(taskId, 0);
    }

    function pitch(bytes32 taskId, address worker) internal {
        vm.prank(worker);
        market.submitPitch(taskId, keccak256(abi.encode("pitch", worker)));
    }

    function select(bytes32 taskId, address worker) internal {
        vm.prank(requester);
        market.selectWorker(taskId, worker);
    }

    /// @param price USDC base units.
    function bid(bytes32 taskId, address worker, uint96 price) internal {
        vm.prank(worker);
        market.submitBid(taskId, price);
    }

    function submit(bytes32 taskId, address worker, bytes32 deliverable) internal {
        vm.prank(worker);
        market.submitWork(taskId, deliverable);
    }

    function accept(bytes32 taskId, address worker, bytes32 deliverable) internal {
        vm.prank(requester);
        market.acceptSubmission(taskId, worker, deliverable);
    }

    /// @dev A verdict with one award; an amount of zero: with none.
    function evaluate(bytes32 taskId, Verdict verdict, address worker, uint80 amount) internal {
        Award[] memory awards = new Award[](amount == 0 ? 0 : 1);
        if (amount > 0) awards[0] = Award(worker, amount, 1);
        vm.prank(evaluator);
        market.evaluate(taskId, verdict, 900, 800, keccak256("evidence"), awards);
    }

    function cancel(bytes32 taskId) internal {
        vm.prank(requester);
        market.cancelTask(taskId);
    }

    /// @dev Refunds a task without a delivery at its expiry.
    function expire(bytes32 taskId) internal {
        vm.warp(market.getTask(taskId).expiryTime);
        market.refundExpired(taskId);
    }

    // --- Expectations about the next call ---

    /// @dev The hook vetoes with one of its own errors.
    /// Example: `expectVeto(address(hook), ITaskHook.checkClaim.selector, abi.encodeWithSelector(NotYet.selector))`.
    /// @param reason Revert data of the hook; empty: it answers false.
    function expectVeto(address hook, bytes4 step, bytes memory reason) internal {
        vm.expectRevert(abi.encodeWithSelector(ITaskMarket.HookVetoed.selector, hook, step, reason));
    }

    /// @dev The hook fails where it has no veto, and the market goes on.
    function expectOverruled(bytes32 taskId, address hook, bytes4 step) internal {
        vm.expectEmit(address(market));
        emit HookCallFailed(taskId, hook, step);
    }

    // --- Deployment ---

    /// @dev Libraries have the addresses of every deployment; on a fork they may be there.
    function _deployMarket() private returns (ITaskMarket) {
        if (address(usdc).code.length == 0) {
            vm.etch(address(usdc), ShippedCode.usdc());
            usdc.initialize(address(this));
        }
        bytes[] memory libraries = ShippedCode.libraries();
        for (uint256 i; i < libraries.length; i++) {
            address library_ = vm.computeCreate2Address(0, keccak256(libraries[i]), CREATE2_DEPLOYER);
            if (library_.code.length == 0) {
                (bool isDeployed,) = CREATE2_DEPLOYER.call(bytes.concat(bytes32(0), libraries[i]));
                require(isDeployed, "a library of the market was not deployed");
            }
        }
        // The forwarder and the registries of ERC-8004 have no part in what a hook sees.
        address forwarder = makeAddr("forwarder");
        bytes memory setup =
            abi.encode(owner, usdc, forwarder, feeRecipient, FEE_BPS, makeAddr("identities"), makeAddr("reputation"));
        bytes memory code = bytes.concat(ShippedCode.taskMarket(), setup);
        address deployed;
        assembly ("memory-safe") {
            deployed := create(0, add(code, 0x20), mload(code))
        }
        require(deployed != address(0), "the market was not deployed");
        return ITaskMarket(deployed);
    }
}
