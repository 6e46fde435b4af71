import { type FieldNode, type GraphQLResolveInfo, Kind, type SelectionSetNode } from 'graphql/index.js'

/**
 * Returns the selected fields of an object by name, each with its nodes in the document. Fields in fragments are
 * included.
 */
export function fieldsBelow(
  nodes: readonly FieldNode[],
  fragments: GraphQLResolveInfo['fragments'],
): Map<string, FieldNode[]> {
  const fields = new Map<string, FieldNode[]>()
  const enteredFragments = new Set<string>()
  const collect = (set: SelectionSetNode | undefined) => {
    for (const selection of set?.selections ?? []) {
      if (selection.kind === Kind.FIELD) {
        const name = selection.name.value
        fields.set(name, [...(fields.get(name) ?? []), selection])
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        collect(selection.selectionSet)
      } else if (!enteredFragments.has(selection.name.value)) {
        enteredFragments.add(selection.name.value)
        collect(fragments[selection.name.value]?.selectionSet)
      }
    }
  }
  for (const node of nodes) collect(node.selectionSet)
  return fields
}
