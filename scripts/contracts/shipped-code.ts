import type { Hex } from 'viem'
import { generatedBy } from '../generated-by.ts'
import { readArtifact } from './artifacts.ts'
import { linkBytecode, listAllLibraries } from './link.ts'
import { planLibraries } from './plan-libraries.ts'

/**
 * Returns a Solidity library with the code of a deployment: the CREATE2 deployer's input for each library of the market, in
 * order, the market's linked creation code, and the runtime code of the stand-in for USDC. Any compiler from 0.8.24 on compiles
 * it.
 */
export function renderShippedCode(): string {
  const market = readArtifact('TaskMarket')
  const libraries = planLibraries(listAllLibraries(market))
  const addresses = Object.fromEntries(libraries.map(({ name, address }) => [name, address]))
  const pieces = libraries.map(
    ({ name, creationCode }, index) => `        // ${name}\n        code[${index}] = ${literal(creationCode)};\n`,
  )
  return `// SPDX-License-Identifier: MIT
// ${generatedBy('scripts/contracts/build-package.ts', 'contracts/src')}
pragma solidity ^0.8.24;

/// @title Code of the market as it is deployed, for tests
library ShippedCode {
    /// @dev Creation code of the libraries, in the order of their deployment by CREATE2 with the salt zero.
    function libraries() internal pure returns (bytes[] memory code) {
        code = new bytes[](${libraries.length});
${pieces.join('')}    }

    /// @dev Creation code of TaskMarket; the constructor's arguments follow it.
    function taskMarket() internal pure returns (bytes memory) {
        return ${literal(linkBytecode(market, addresses))};
    }

    /// @dev Runtime code of the stand-in for USDC.
    function usdc() internal pure returns (bytes memory) {
        return ${literal(readArtifact('LocalUsdc').deployedBytecode.object)};
    }
}
`
}

function literal(code: Hex): string {
  return `hex"${code.slice(2)}"`
}
