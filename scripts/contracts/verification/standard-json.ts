import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Address, Hex } from 'viem'
import { readArtifact, readMetadata } from '../artifacts.ts'
import type { Plan } from '../deployment/plan.ts'
import { contractsRoot } from '../paths.ts'

/** The data that another party needs to compile a contract again and to compare the result with the chain. */
export interface VerifiableContract {
  name: string
  address: Address
  /** Source file and name of the contract. Example: `src/TaskMarket.sol:TaskMarket`. */
  contractIdentifier: string
  /** Full version of the compiler. Example: `0.8.30+commit.73712a01`. */
  compilerVersion: string
  /** ABI-encoded arguments of the constructor. */
  constructorArguments: Hex
  /** Input of the compiler in its standard JSON form. It contains the addresses of the libraries. */
  standardJson: StandardJson
}

export interface StandardJson {
  language: string
  sources: Record<string, { content: string }>
  settings: Record<string, unknown>
}

/**
 * Lists every contract and library of a plan, in the order of their transactions. The contracts that other contracts
 * create come last.
 */
export function listVerifiable(plan: Plan): VerifiableContract[] {
  const pieces = plan.steps.flatMap(({ piece }) => (piece === undefined ? [] : [piece]))
  return [...pieces, ...plan.created].map(({ name, address, constructorArguments }) => {
    const { compiler, language, settings, sources } = readMetadata(name)
    const { compilationTarget, libraries: _unlinked, ...compilerSettings } = settings
    const [target] = Object.entries(compilationTarget)
    if (target === undefined) throw new Error(`${name} names no source`)
    const [path, contract] = target
    return {
      name,
      address,
      contractIdentifier: `${path}:${contract}`,
      compilerVersion: compiler.version,
      constructorArguments,
      standardJson: {
        language,
        sources: Object.fromEntries(
          Object.keys(sources).map((source) => [
            source,
            { content: readFileSync(join(contractsRoot, source), 'utf8') },
          ]),
        ),
        settings: {
          ...compilerSettings,
          libraries: linkedLibraries(name, plan.libraries),
          outputSelection: { [path]: { [contract]: ['abi', 'evm.bytecode', 'evm.deployedBytecode', 'metadata'] } },
        },
      },
    }
  })
}

/** Returns the addresses of the libraries that a contract calls, by source file and library name. */
function linkedLibraries(name: string, addresses: Record<string, Address>) {
  return Object.fromEntries(
    Object.entries(readArtifact(name).bytecode.linkReferences).map(([source, libraries]) => [
      source,
      Object.fromEntries(Object.keys(libraries).map((library) => [library, addresses[library]])),
    ]),
  )
}
