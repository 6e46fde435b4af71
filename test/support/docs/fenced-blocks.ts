/** A fenced block of a page. */
export interface FencedBlock {
  language: string
  text: string
  /** The nearest heading above it. Example: `Five minutes`. */
  heading: string
}

/** The fenced blocks of a page, in its order. */
export function fencedBlocks(page: string): FencedBlock[] {
  const parts = page.matchAll(/^```(\w+)\n(.*?)^```$|^#+ ([^\n]+)$/gms)
  const blocks: FencedBlock[] = []
  let heading = ''
  for (const [, language, text = '', title] of parts) {
    if (title !== undefined) heading = title
    else if (language !== undefined) blocks.push({ language, text, heading })
  }
  return blocks
}
