import { hash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = join(import.meta.dirname, '..', 'static', 'diagrams')

/**
 * Returns the name of a diagram's SVG file, which `scripts/draw-diagrams.ts` writes. The name is a hash of the
 * diagram's source. Example: `3f2a91c07b5e.svg`.
 */
export function diagramFile(source: string): string {
  return `${hash('sha256', source.trim()).slice(0, 12)}.svg`
}

/** Reads the SVG file of a Mermaid diagram; null if no file was written for this source. */
export function readDiagram(source: string): string | null {
  const path = join(FOLDER, diagramFile(source))
  return existsSync(path) ? readFileSync(path, 'utf8') : null
}
