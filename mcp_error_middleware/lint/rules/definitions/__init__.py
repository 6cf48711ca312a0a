"""What a server advertises: names, descriptions, schemas, hints, scopes and addresses."""
