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

/// @title Base of a hook's tests, with the market as it is deployed
/// @notice `setUp` deploys the shipped creation code, so the compiler of the test decides nothing about the market. On
/// a fork (`forge test --fork-url URL`) the chain's own USDC pays; elsewhere a stand-in at the address of Base's.
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

    /// @dev Returns a bounty of 10 USDC that is open for a day, with one hook.
    function aBounty(address hook) internal pure returns (CreateTaskParams memory params) {
        params.mode = Modes.BOUNTY;
        params.reward = REWARD;
        params.duration = DURATION;
        params.contentHash = keccak256("content");
        params.hooks = new address[](1);
        params.hooks[0] = hook;
    }

    /// @dev Returns a claim task with a stake of a tenth (1 USDC).
    function aClaim(address hook) internal pure returns (CreateTaskParams memory params) {
        params = aBounty(hook);
        (params.mode, params.stakeBps) = (Modes.CLAIM, 1000);
    }

    /// @dev Returns a pitch task whose pitch deadline is half of its duration.
    function aPitchTask(address hook) internal pure returns (CreateTaskParams memory params) {
        params = aBounty(hook);
        (params.mode, params.pitchDuration) = (Modes.PITCH, DURATION / 2);
    }

    /// @dev Returns an english auction whose bid deadline is half of its duration.
    function anAuction(address hook) internal pure returns (CreateTaskParams memory params) {
        params = aBounty(hook);
        (params.mode, params.auctionType, params.bidDuration) = (Modes.AUCTION, Modes.ENGLISH, DURATION / 2);
    }

    /// @dev Adds an evaluator: 5 % for the evaluator, two hours to judge, one hour to appeal.
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

    /// @dev Creates a bounty of 10 USDC as the requester and returns its id.
    function createBounty(address hook) internal returns (bytes32) {
        return create(aBounty(hook));
    }

    /// @dev Creates a task as the requester and returns its id. Example: `create(aClaim(address(hook)))`.
    function create(CreateTaskParams memory params) internal returns (bytes32) {
        vm.prank(requester);
        return market.createTask(params);
    }

    /// @dev Claims as a worker.
    function claim(bytes32 taskId, address worker) internal {
        vm.prank(worker);
        market.claimTask(taskId, 0);
    }

    /// @dev Pitches as a worker.
    function pitch(bytes32 taskId, address worker) internal {
        vm.prank(worker);
        market.submitPitch(taskId, keccak256(abi.encode("pitch", worker)));
    }

    /// @dev Selects a worker who pitched, as the requester.
    function select(bytes32 taskId, address worker) internal {
        vm.prank(requester);
        market.selectWorker(taskId, worker);
    }

    /// @dev Bids as a worker.
    /// @param price USDC base units.
    function bid(bytes32 taskId, address worker, uint96 price) internal {
        vm.prank(worker);
        market.submitBid(taskId, price);
    }

    /// @dev Submits as a worker. Example: `submit(taskId, alice, "a1")`.
    function submit(bytes32 taskId, address worker, bytes32 deliverable) internal {
        vm.prank(worker);
        market.submitWork(taskId, deliverable);
    }

    /// @dev Accepts a deliverable as the requester.
    function accept(bytes32 taskId, address worker, bytes32 deliverable) internal {
        vm.prank(requester);
        market.acceptSubmission(taskId, worker, deliverable);
    }

    /// @dev Issues a verdict as the evaluator, with one award; an amount of zero: without awards.
    function evaluate(bytes32 taskId, Verdict verdict, address worker, uint80 amount) internal {
        Award[] memory awards = new Award[](amount == 0 ? 0 : 1);
        if (amount > 0) awards[0] = Award(worker, amount, 1);
        vm.prank(evaluator);
        market.evaluate(taskId, verdict, 900, 800, keccak256("evidence"), awards);
    }

    /// @dev Cancels as the requester.
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

    /// @dev Expects that the hook vetoes the next call.
    /// Example: `expectVeto(address(hook), ITaskHook.checkClaim.selector, abi.encodeWithSelector(NotYet.selector))`.
    /// @param reason Revert data of the hook; empty: it returns false.
    function expectVeto(address hook, bytes4 step, bytes memory reason) internal {
        vm.expectRevert(abi.encodeWithSelector(ITaskMarket.HookVetoed.selector, hook, step, reason));
    }

    /// @dev Expects that the hook fails at a step that it cannot veto, and that the market logs it.
    function expectOverruled(bytes32 taskId, address hook, bytes4 step) internal {
        vm.expectEmit(address(market));
        emit HookCallFailed(taskId, hook, step);
    }

    // --- Deployment ---

    /// @dev Deploys libraries and market. Libraries have the same addresses in every deployment; on a fork they may
    /// exist already.
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
