/**
 * `node scripts/draw-diagrams.ts`: draws each Mermaid diagram of `docs/` as an SVG file in `web/static/diagrams`. The
 * name of the file is a hash of the diagram's text. `--check` only compares. The drawings contain no colors and no
 * styles: the style sheet of the pages sets them.
 */
import { globSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { renderMermaidSVG } from 'beautiful-mermaid'
import { marked } from 'marked'
import { repositoryRoot } from '../ops/process/paths.ts'
import { diagramFile } from '../web/docs/diagrams.ts'
import { writeGenerated } from './write-generated.ts'

/**
 * Factor by which sequence diagrams are widened. The library draws their messages wider than the space between two
 * columns.
 */
const STRETCH = 1.5
/** Estimated width of a letter, as a fraction of its height. The width of texts is computed from this value. */
const LETTER = 0.6
/**
 * Width in pixels that a page has for a drawing on a large screen. A wider drawing is reduced, at most to `LEAST_SCALE`
 * of its size.
 */
const PAGE_WIDTH = 920
const LEAST_SCALE = 0.85

const folder = 'web/static/diagrams'
const isCheck = process.argv.includes('--check')
const files = new Map<string, string>()
for (const page of globSync('docs/**/*.md', { cwd: repositoryRoot })) {
  const tokens = marked.lexer(readFileSync(join(repositoryRoot, page), 'utf8'))
  marked.walkTokens(tokens, (token) => {
    if (token.type === 'code' && token.lang === 'mermaid')
      files.set(join(folder, diagramFile(token.text)), draw(token.text, page))
  })
}
const isStale = writeGenerated(files, { isCheck, script: 'scripts/draw-diagrams.ts', source: 'the diagrams of docs/' })
const superfluousFiles = globSync(`${folder}/*.svg`, { cwd: repositoryRoot }).filter((name) => !files.has(name))
for (const name of superfluousFiles) {
  if (isCheck) console.error(`${name} is of no diagram: run node scripts/draw-diagrams.ts`)
  else rmSync(join(repositoryRoot, name))
}
if (isCheck && (isStale || superfluousFiles.length > 0)) process.exitCode = 1

/**
 * Draws a diagram. Removes everything that the content security policy of the pages forbids (styles and fonts of
 * another host), and class names that the pages also use.
 */
function draw(text: string, page: string): string {
  try {
    const drawing = drawUpright(text)
      .replace(/<style>[\s\S]*?<\/style>/, '')
      .replaceAll(/ (?:class|style|data-[\w-]+)="[^"]*"/g, '')
      .replaceAll(/^\s*\n/gm, '')
    const fittedDrawing = widenToTexts(text.trimStart().startsWith('sequenceDiagram') ? stretch(drawing) : drawing)
    const roundedDrawing = fittedDrawing.replaceAll(/\d+\.\d+/g, (number) =>
      String(Math.round(Number(number) * 10) / 10),
    )
    return `${roundedDrawing.replace('<svg ', '<svg class="diagram" role="img" aria-label="Diagram, as text below" ').trim()}\n`
  } catch (error) {
    throw new Error(`${page} has a diagram that cannot be drawn`, { cause: error })
  }
}

/**
 * Draws a diagram. A flow from left to right that would be much wider than a page is drawn from top to bottom instead.
 */
function drawUpright(text: string): string {
  const drawing = renderMermaidSVG(text, { padding: 8 })
  const width = Number(/ width="([\d.]+)"/.exec(drawing)?.[1])
  const turnedText = text.replace(/^(\s*(?:flowchart|graph)) LR/, '$1 TD')
  return width * LEAST_SCALE > PAGE_WIDTH && turnedText !== text
    ? renderMermaidSVG(turnedText, { padding: 8 })
    : drawing
}

/**
 * Widens a drawing: multiplies all horizontal positions and widths by `STRETCH`. The sizes of letters and arrowheads
 * stay.
 */
function stretch(drawing: string): string {
  const [head = '', body = ''] = drawing.split(/(?<=<\/defs>)/)
  const widen = (number: string) => String(Number(number) * STRETCH)
  const widenPart = (part: string) =>
    part.replaceAll(/( (?:x|x1|x2|width)=")([\d.-]+)/g, (_, name, number) => name + widen(number))
  const svg = head.replace(/<svg [^>]*>/, (tag) =>
    widenPart(tag).replace(/(viewBox="\S+ \S+ )(\S+)/, (_, begin, width) => begin + widen(width)),
  )
  return (
    svg +
    widenPart(body).replaceAll(
      / points="([^"]*)"/g,
      (_, points: string) => ` points="${points.replaceAll(/([\d.-]+)(?=[ ,][\d.-]+(?: |$))/g, widen)}"`,
    )
  )
}

/** Widens the visible area of a drawing, so that it includes texts that reach beyond the edge. */
function widenToTexts(drawing: string): string {
  const [, y, width, height] = /viewBox="\S+ (\S+) (\S+) (\S+)"/.exec(drawing) ?? []
  const texts = [...drawing.matchAll(/<text x="([\d.-]+)"[^>]*font-size="(\d+)" text-anchor="middle"[^>]*>([^<]*)/g)]
  const ends = texts.map(([, x, size, label = '']) => ({
    x: Number(x),
    half: (label.length * Number(size) * LETTER) / 2,
  }))
  const left = Math.floor(Math.min(0, ...ends.map(({ x, half }) => x - half)))
  const right = Math.ceil(Math.max(Number(width), ...ends.map(({ x, half }) => x + half)))
  const size = `viewBox="${left} ${y} ${right - left} ${height}" width="${shownWidth(right - left)}"`
  return drawing.replace(/viewBox=.*? height="[^"]*"/, size)
}

function shownWidth(width: number): number {
  return Math.min(width, Math.max(PAGE_WIDTH, width * LEAST_SCALE))
}
