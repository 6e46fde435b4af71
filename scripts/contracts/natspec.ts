import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import solc from 'solc'
import { z } from 'zod'
import { contractsRoot } from './paths.ts'

/** Folders of the declarations that users see in block explorers or in the package. Only these folders are checked. */
const documentedFolders = ['src', 'hooks', 'examples']

/** A node of solc's syntax tree. If the node has no doc comment, `documentation` is null or missing. */
const nodeSchema = z.object({
  nodeType: z.string(),
  name: z.string().default(''),
  src: z.string(),
  kind: z.string().default(''),
  visibility: z.string().default(''),
  documentation: z.object({ text: z.string() }).nullish(),
  get nodes() {
    return z.array(nodeSchema).default([])
  },
  get members() {
    return z.array(nodeSchema).default([])
  },
})

type Node = z.output<typeof nodeSchema>

const outputSchema = z.object({
  errors: z.array(z.object({ severity: z.string(), formattedMessage: z.string() })).default([]),
  sources: z.record(z.string(), z.object({ ast: nodeSchema.optional() })),
})

/**
 * Kinds of declarations that always need a doc comment. Functions are not in this list: only a constructor or a
 * function that other accounts can call needs a comment.
 */
const documentedTypes = [
  'ContractDefinition',
  'StructDefinition',
  'EnumDefinition',
  'EventDefinition',
  'ErrorDefinition',
  'ModifierDefinition',
  'VariableDeclaration',
]

/** Reads the sources that `findNatSpecProblems` checks. @returns the texts by path below `contracts` */
export function readDocumentedSources(): Record<string, string> {
  const files = documentedFolders.flatMap((folder) => globSync(`${folder}/**/*.sol`, { cwd: contractsRoot })).sort()
  return Object.fromEntries(files.map((file) => [file, readFileSync(join(contractsRoot, file), 'utf8')]))
}

/**
 * Lists the declarations with missing NatSpec. A contract needs `@title` and `@notice`. A struct needs a `@param` for
 * each field. An external or public function, a constructor, an event, an error, an enum, a modifier and a state
 * variable need a comment. A function of `src/interfaces` also needs an example.
 *
 * Example: `findNatSpecProblems({ 'src/A.sol': 'error Late();' })` returns `['src/A.sol:1: error Late has no
 * comment']`.
 * @param sources texts by path
 * @throws with solc's own message if a source cannot be parsed
 */
export function findNatSpecProblems(sources: Record<string, string>): string[] {
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(Object.entries(sources).map(([file, content]) => [file, { content }])),
    // Parsing alone takes a twentieth of a compilation, and reads no import.
    settings: { stopAfter: 'parsing', outputSelection: { '*': { '': ['ast'] } } },
  }
  const output = outputSchema.parse(JSON.parse(solc.compile(JSON.stringify(input))))
  const errors = output.errors.filter(({ severity }) => severity === 'error')
  if (errors.length > 0) throw new Error(errors.map(({ formattedMessage }) => formattedMessage).join('\n'))
  return Object.entries(output.sources).flatMap(([file, { ast }]) => {
    const bytes = Buffer.from(sources[file] ?? '')
    return (ast === undefined ? [] : listDeclarations(ast)).flatMap((node) => {
      const linesBefore = bytes.subarray(0, Number.parseInt(node.src, 10)).toString().split('\n')
      const comment = node.documentation?.text ?? commentAbove(linesBefore)
      return problemsOf(node, file, comment).map(
        (problem) => `${file}:${linesBefore.length}: ${nameOf(node)} ${problem}`,
      )
    })
  })
}

/** Lists the declarations of a file and of its contracts that need a doc comment. */
function listDeclarations(parent: Node): Node[] {
  return parent.nodes.flatMap((node) => [...(needsComment(node) ? [node] : []), ...listDeclarations(node)])
}

function needsComment({ nodeType, visibility, kind }: Node): boolean {
  if (nodeType !== 'FunctionDefinition') return documentedTypes.includes(nodeType)
  return kind === 'constructor' || visibility === 'external' || visibility === 'public'
}

/**
 * Returns the doc comment right above a declaration. It is read from the source text: solc does not return comments of
 * state variables if it only parses.
 */
function commentAbove(linesBefore: string[]): string {
  const line = linesBefore.slice(0, -1).findLast((text) => !text.trimStart().startsWith('// '))
  return line?.trimStart().startsWith('///') ? line : ''
}

function problemsOf(node: Node, file: string, text: string): string[] {
  if (text === '') return ['has no comment']
  if (node.nodeType === 'ContractDefinition') {
    return ['@title', '@notice'].filter((tag) => !text.includes(tag)).map((tag) => `has no ${tag}`)
  }
  if (node.nodeType === 'StructDefinition') return problemsOfFields(node, text)
  const isOffered = node.nodeType === 'FunctionDefinition' && file.startsWith('src/interfaces/')
  return isOffered && !text.includes('Example: ') ? ['has no example ("Example: " with values)'] : []
}

/** Compares the `@param` tags of a struct with its fields. The compiler does not compare them. */
function problemsOfFields({ members }: Node, text: string): string[] {
  const documentedNames = [...text.matchAll(/@param (\w+)/g)].map(([, name = '']) => name)
  const fields = members.map(({ name }) => name)
  return [
    ...fields.filter((name) => !documentedNames.includes(name)).map((name) => `has no @param for its field ${name}`),
    ...documentedNames.filter((name) => !fields.includes(name)).map((name) => `has a @param for no field: ${name}`),
  ]
}

function nameOf({ nodeType, name, kind }: Node): string {
  if (kind === 'constructor') return kind
  const word = nodeType === 'VariableDeclaration' ? 'variable' : nodeType.replace('Definition', '').toLowerCase()
  return `${word} ${name}`
}
