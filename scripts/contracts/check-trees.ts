import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { contractsRoot } from './paths.ts'

/**
 * Compares each `.tree` file below contracts/test with the test file beside it. A `.tree` file lists the expected tests
 * as a tree. Each leaf requires exactly one test, and the comment of this test must be the leaf's path. The tests must
 * have the order of the leaves.
 * @returns the differences; empty if there are none
 */
export function findTreeProblems(): string[] {
  const trees = globSync('test/**/*.tree', { cwd: contractsRoot }).sort()
  if (trees.length === 0) return ['no .tree files under contracts/test']
  return trees.flatMap((tree) => {
    const leaves = listLeaves(readFileSync(join(contractsRoot, tree), 'utf8'))
    const testFile = tree.replace(/\.tree$/, '.t.sol')
    const tests = listTests(readFileSync(join(contractsRoot, testFile), 'utf8'))
    const missingTests = leaves
      .filter((leaf) => !tests.includes(leaf))
      .map((leaf) => `${testFile}: no test for "${leaf}"`)
    const extraTests = tests.filter((test) => !leaves.includes(test)).map((test) => `${tree}: no leaf for "${test}"`)
    const isOrdered = leaves.join('\n') === tests.join('\n')
    const orderProblems =
      missingTests.length + extraTests.length === 0 && !isOrdered ? [`${testFile}: tests not in leaf order`] : []
    return [...missingTests, ...extraTests, ...orderProblems]
  })
}

/**
 * Compares the checklist for hooks in contracts/README.md with the tests of hooks. Each line of the checklist names a
 * folder of tests and a leaf of a `.tree` file in this folder.
 * @returns a problem for each line whose leaf is missing; empty if there are none
 */
export function findChecklistProblems(): string[] {
  const [, checklist = ''] = readFileSync(join(contractsRoot, 'README.md'), 'utf8').split(
    '## What a hook must not assume',
  )
  const rows = [...(checklist.split('\n## ')[0] ?? '').matchAll(/^\| (that .+?) \| .+ \| `([a-z-]+)` (it .+) \|$/gm)]
  if (rows.length === 0) return ['contracts/README.md has no checklist for hooks']
  return rows.flatMap(([, assumption, folder, leaf]) => {
    const trees = globSync(`test/{hooks,examples}/${folder}/*.tree`, { cwd: contractsRoot })
    const leaves = trees.flatMap((tree) => listLeaves(readFileSync(join(contractsRoot, tree), 'utf8')))
    const isTested = leaves.some((path) => path.split(': ').at(-1) === leaf)
    return isTested ? [] : [`contracts/README.md: no test in ${folder} for "${assumption}": "${leaf}"`]
  })
}

/**
 * Returns the paths of the leaves of a `.tree` file. A path joins the texts from the root to the leaf by ": ". The
 * first line of the file, which names the contract, is left out.
 */
function listLeaves(tree: string): string[] {
  const path: string[] = []
  const leaves: string[] = []
  for (const line of tree.split('\n').slice(1)) {
    const match = /^((?:│ {3}| {4})*)[├└]── (.+)$/.exec(line)
    if (match === null) continue
    const [, indent = '', text = ''] = match
    path.length = indent.length / 4
    path.push(text)
    if (text.startsWith('it ')) leaves.push(path.join(': '))
  }
  return leaves
}

/** Returns the comment of each test function; the name of a test function without a comment. */
function listTests(source: string): string[] {
  const pattern = /(?:\/\/\/ (?<comment>[^\n]*)\n\s*)?function (?<name>test\w+)\(/g
  return [...source.matchAll(pattern)].map(({ groups }) => groups?.comment ?? groups?.name ?? '')
}
