"""RFC 3161 time stamps, through the library rfc3161-client where it is installed."""

from datetime import datetime
from importlib.util import find_spec

from cryptography import x509

from coditect_verify.log import Wrong


def can_verify() -> bool:
    """Whether the library is here."""
    return find_spec("rfc3161_client") is not None


def are_certificates(pem: bytes) -> bool:
    """Whether something is one certificate or several in PEM."""
    try:
        return bool(x509.load_pem_x509_certificates(pem))
    except ValueError:
        return False


def verified_time(token: bytes, message: bytes, authority: bytes) -> datetime:
    """When an authority saw a message, by certificates that were valid then; Wrong where the token does not say so.

    Args:
        token: a TimeStampResp in DER.
        message: what was stamped.
        authority: its certificates in PEM: roots, and what stands between.
    """
    import rfc3161_client

    try:
        found = rfc3161_client.decode_timestamp_response(token)
        certificates = x509.load_pem_x509_certificates(authority)
        between = [each for each in certificates if each.subject != each.issuer]
        verifier = rfc3161_client.VerifierBuilder(
            roots=[each for each in certificates if each.subject == each.issuer],
            intermediates=between,
            # A token may leave the certificate of its signer out; the first that is given is that of the authority itself.
            tsa_certificate=None if found.signed_data.certificates else next(iter(between), None),
        ).build()
        verifier.verify_message(found, message)
    except (ValueError, rfc3161_client.VerificationError) as error:
        raise Wrong("it was not issued by the authority whose certificates you gave, or it was changed") from error
    return found.tst_info.gen_time
