import {
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  visit,
} from 'graphql/index.js'
import { limits } from './limits.ts'

/** The size of a selection set with its fragments in place of their spreads. */
interface Size {
  /** Fields at its top. */
  fields: number
  /** Aliases in it and below. */
  aliases: number
  /** Levels of fields. */
  levels: number
  /** Most introspection lists that are nested in each other. */
  introspectionLists: number
}

const empty: Size = { fields: 0, aliases: 0, levels: 0, introspectionLists: 0 }

/**
 * The lists of `__Type` that lead to types again. The introspection query of graphql-js nests none of them, and each
 * nesting multiplies the answer by hundreds.
 */
const introspectionLists = new Set(['fields', 'inputFields', 'interfaces', 'possibleTypes'])
const introspectionRoots = new Set(['__schema', '__type', '__typename'])

/**
 * Measures an operation against the limits; a fragment counts wherever it is spread. Unknown fragments and cycles are
 * left to validation, which comes later, because its time grows with the square of the document.
 * @returns what is too much, as a sentence; null when nothing is
 */
export function findDocumentProblem(document: DocumentNode, operation: OperationDefinitionNode): string | null {
  if (countFields(document) > limits.fields) return `A document may have at most ${limits.fields} fields.`
  const fragments = new Map(
    document.definitions.flatMap((node) => (node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node]] : [])),
  )
  const size = measure(operation.selectionSet, { fragments, measured: new Map() })
  const isIntrospection = listRootNames(operation.selectionSet, fragments).every((name) => introspectionRoots.has(name))
  const depth = isIntrospection ? limits.introspectionDepth : limits.depth
  if (size.fields > limits.rootFields) {
    return `An operation may have at most ${limits.rootFields} root fields; send the others in another request.`
  }
  if (size.aliases > limits.aliases) return `An operation may have at most ${limits.aliases} aliases.`
  if (size.levels + 1 > depth) {
    const example = isIntrospection ? 'this one is introspection alone' : '{ tasks { items { id } } } has 4'
    return `An operation may have at most ${depth} levels, the operation itself included; ${example}.`
  }
  if (size.introspectionLists > 1) {
    return `The introspection fields ${[...introspectionLists].join(', ')} may not be nested in each other.`
  }
  return null
}

/** As written, those of fragments and other operations too: all of them are validated. */
function countFields(document: DocumentNode): number {
  let fields = 0
  visit(document, {
    Field: () => {
      fields += 1
    },
  })
  return fields
}

interface Fragments {
  fragments: ReadonlyMap<string, FragmentDefinitionNode>
  /** Each fragment is measured once, however often it is spread; `empty` while it is being measured. */
  measured: Map<string, Size>
}

function measure(set: SelectionSetNode | undefined, context: Fragments): Size {
  return (set?.selections ?? []).map((selection) => measureSelection(selection, context)).reduce(add, empty)
}

function measureSelection(selection: SelectionNode, context: Fragments): Size {
  switch (selection.kind) {
    case Kind.FIELD: {
      const below = measure(selection.selectionSet, context)
      return {
        fields: 1,
        aliases: below.aliases + (selection.alias === undefined ? 0 : 1),
        levels: below.levels + 1,
        introspectionLists: below.introspectionLists + (introspectionLists.has(selection.name.value) ? 1 : 0),
      }
    }
    case Kind.INLINE_FRAGMENT:
      return measure(selection.selectionSet, context)
    case Kind.FRAGMENT_SPREAD: {
      const name = selection.name.value
      const known = context.measured.get(name)
      if (known !== undefined) return known
      context.measured.set(name, empty)
      const size = measure(context.fragments.get(name)?.selectionSet, context)
      context.measured.set(name, size)
      return size
    }
  }
}

function add(left: Size, right: Size): Size {
  return {
    fields: left.fields + right.fields,
    aliases: left.aliases + right.aliases,
    levels: Math.max(left.levels, right.levels),
    introspectionLists: Math.max(left.introspectionLists, right.introspectionLists),
  }
}

/** The names of the root fields; every fragment is entered once. */
function listRootNames(set: SelectionSetNode, fragments: ReadonlyMap<string, FragmentDefinitionNode>): string[] {
  const entered = new Set<string>()
  const listNames = ({ selections }: SelectionSetNode): string[] =>
    selections.flatMap((selection) => {
      if (selection.kind === Kind.FIELD) return [selection.name.value]
      if (selection.kind === Kind.INLINE_FRAGMENT) return listNames(selection.selectionSet)
      const fragment = fragments.get(selection.name.value)
      if (fragment === undefined || entered.has(fragment.name.value)) return []
      entered.add(fragment.name.value)
      return listNames(fragment.selectionSet)
    })
  return listNames(set)
}
