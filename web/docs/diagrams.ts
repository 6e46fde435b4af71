import { hash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = join(import.meta.dirname, '..', 'static', 'diagrams')

/** The name of a diagram's drawing, which `scripts/draw-diagrams.ts` makes. Example: `3f2a91c07b5e.svg`. */
export function diagramFile(source: string): string {
  return `${hash('sha256', source.trim()).slice(0, 12)}.svg`
}

/** Reads the drawing of a Mermaid diagram; null when none was made of this text. */
export function readDiagram(source: string): string | null {
  const path = join(FOLDER, diagramFile(source))
  return existsSync(path) ? readFileSync(path, 'utf8') : null
}
