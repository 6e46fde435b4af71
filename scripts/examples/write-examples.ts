import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Examples, examplesDirectory } from '../../api/server/openapi/examples.ts'
import type { Operation } from './operations.ts'

/** Replaces the committed examples: one file for each tag, in the order of the document. */
export function writeExamples(examples: Examples, operations: readonly Operation[]): void {
  mkdirSync(examplesDirectory, { recursive: true })
  for (const name of readdirSync(examplesDirectory)) rmSync(join(examplesDirectory, name))
  for (const tag of new Set(operations.map((operation) => operation.tag))) {
    const entries = operations.flatMap(({ id, tag: own }) => {
      const recorded = examples[id]
      return own === tag && recorded !== undefined ? [[id, recorded] as const] : []
    })
    const text = `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`
    writeFileSync(join(examplesDirectory, `${tag.replaceAll(' ', '-')}.json`), text)
  }
}
