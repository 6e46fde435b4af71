import { describe, expect, test } from 'vitest'
import { type MediaKind, mediaKindOf } from '../../../api/domain/artifacts/media-kind.ts'
import { extensionTypes, nameTypes } from '../../../client/src/files/file-types.ts'

/** The type that the service makes of one that the client declares; extensions that are in no row are texts. */
const kinds: Record<Exclude<MediaKind, 'text'>, string> = {
  image: 'png jpg jpeg gif webp avif bmp ico tif tiff heic svg',
  audio: 'mp3 wav ogg opus flac m4a',
  video: 'mp4 m4v webm mov mkv',
  pdf: 'pdf',
  archive: 'zip gz tgz tar 7z epub',
  unknown: 'rtf docx xlsx pptx odt ods odp wasm parquet woff woff2 ttf otf glb',
}
const kindOf = (extension: string): MediaKind => {
  const rows = Object.entries(kinds) as [MediaKind, string][]
  return rows.find(([, extensions]) => extensions.split(' ').includes(extension))?.[0] ?? 'text'
}

describe('The table of types of the client', () => {
  test.each(Object.entries(extensionTypes).filter(([name]) => !['gltf', 'stl'].includes(name)))(
    'given .%s as %s, then the service shows it as what it is',
    (extension, type) => {
      expect(mediaKindOf(type)).toBe(kindOf(extension))
    },
  )

  test.each(Object.entries(nameTypes))('given %s as %s, then the service shows it as text', (_, type) => {
    expect(mediaKindOf(type)).toBe('text')
  })
})
