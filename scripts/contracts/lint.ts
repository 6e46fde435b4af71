/**
 * Runs `forge fmt --check` and `forge lint` on sources and tests, and checks that every declaration has NatSpec
 * comments. The exit code is 1 if there is a finding. Some rules are disabled: foundry.toml disables rules for all
 * files, and this file disables rules for tests. contracts/DEVELOPMENT.md, "Static checks", has the reasons.
 */
import { z } from 'zod'
import { runForge } from './forge.ts'
import { findNatSpecProblems, readDocumentedSources } from './natspec.ts'
import { formattedFolders } from './paths.ts'

/**
 * Rules that are disabled for tests. Tests build structs by position, call functions that must fail, and write words as
 * short strings.
 */
const notAskedOfTests = ['erc20-unchecked-transfer', 'named-struct-fields', 'unchecked-call', 'unsafe-typecast']

const findingSchema = z.object({
  code: z.object({ code: z.string() }),
  spans: z.array(z.object({ file_name: z.string() })),
  rendered: z.string(),
})

/**
 * Environment of `forge lint`. It does not compile the contracts. Its output has its own folders, because the next
 * build would otherwise take that output for compiled contracts.
 */
const withoutCompiler = { SOLC_NAMES_ONLY: '1', FOUNDRY_OUT: 'cache/lint/out', FOUNDRY_CACHE_PATH: 'cache/lint' }

const runs = Promise.all([
  runForge(['fmt', '--check', ...formattedFolders]),
  runForge(['lint', '--json'], { env: withoutCompiler }),
])
// The compiler runs in this process while forge runs in its own.
const natSpecProblems = findNatSpecProblems(readDocumentedSources())
const [format, lint] = await runs
for (const problem of natSpecProblems) console.error(`contracts/${problem}`)
if (format.exitCode !== 0) console.error(format.output)
const findings = lint.output
  .split('\n')
  .filter((line) => line.startsWith('{'))
  .map((line) => findingSchema.parse(JSON.parse(line)))
  .filter(({ code, spans }) => !(isTest(spans[0]?.file_name) && notAskedOfTests.includes(code.code)))
for (const { rendered } of findings) console.error(rendered)
// What kept forge from looking is no finding.
if (lint.exitCode !== 0 && findings.length === 0) console.error(lint.output)

const isGood = format.exitCode === 0 && lint.exitCode === 0 && findings.length + natSpecProblems.length === 0
const formatState = format.exitCode === 0 ? 'formatted' : 'not formatted'
console.log(`${formatState}, ${findings.length} findings, ${natSpecProblems.length} declarations without NatSpec`)
process.exit(isGood ? 0 : 1)

function isTest(file: string | undefined): boolean {
  return file?.startsWith('test/') === true
}
