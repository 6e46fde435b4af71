import { expect, test } from 'vitest'
import { findNatSpecProblems } from '../../../scripts/contracts/natspec.ts'

test('given declarations without NatSpec, then each is named with its line', () => {
  const source = `pragma solidity 0.8.30;
error Late();
/// @notice A place.
/// @param x Documented.
/// @param z No field.
struct Place { uint256 x; uint256 y; }
/// @title A contract without a notice
contract Market {
    event Done();
    enum Stage { Open }
    /// @dev Documented.
    uint256 private _count;
    uint256 private _sum;
    modifier locked() { _; }
    constructor() {}
    function act() external {}
    function sum() public view returns (uint256) {}
    function _step() internal {}
}`
  expect(findNatSpecProblems({ 'src/Market.sol': source })).toEqual([
    'src/Market.sol:2: error Late has no comment',
    'src/Market.sol:6: struct Place has no @param for its field y',
    'src/Market.sol:6: struct Place has a @param for no field: z',
    'src/Market.sol:8: contract Market has no @notice',
    'src/Market.sol:9: event Done has no comment',
    'src/Market.sol:10: enum Stage has no comment',
    'src/Market.sol:13: variable _sum has no comment',
    'src/Market.sol:14: modifier locked has no comment',
    'src/Market.sol:15: constructor has no comment',
    'src/Market.sol:16: function act has no comment',
    'src/Market.sol:17: function sum has no comment',
  ])
})

test('given an interface, then its functions need an example', () => {
  const source = `pragma solidity 0.8.30;
/// @title Interface
/// @notice Of a market.
interface IMarket {
    /// @notice Returns a fee. Example: 750.
    function feeBps() external view returns (uint256);
    /// @notice Returns a sum.
    function sum() external view returns (uint256);
}`
  expect(findNatSpecProblems({ 'src/interfaces/IMarket.sol': source })).toEqual([
    'src/interfaces/IMarket.sol:8: function sum has no example ("Example: " with values)',
  ])
})

test('given a source that is no Solidity, then the message of the compiler is thrown', () => {
  expect(() => findNatSpecProblems({ 'src/Broken.sol': 'contract {' })).toThrow('Expected identifier')
})
