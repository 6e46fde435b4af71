-- A published policy, and the bundle it was part of, are what was accepted: nobody changes them under their hash.

alter table service.legal_documents
  add constraint body_of_its_hash check (content_hash = encode(sha256(body), 'hex'));
alter table service.legal_bundles
  add constraint text_of_its_digest
    check (digest = 'sha256:' || encode(sha256(convert_to(canonical_text, 'UTF8')), 'hex'));
