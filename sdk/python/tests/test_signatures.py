import json
import unittest
from pathlib import Path

from hengfu import CallbackVerificationError, sign, verify_callback
from hengfu.signature import encode

VECTORS = Path(__file__).parents[2] / "vectors"


def read(name: str):
    return json.loads((VECTORS / f"{name}.json").read_text(encoding="utf-8"))


class Signatures(unittest.TestCase):
    def test_signs_as_the_service_does(self):
        for each in read("requests")["requests"]:
            with self.subTest(each["name"]):
                body = each["body"].encode()
                signature = sign(
                    each["secret"], each["method"], each["pathWithQuery"], each["timestamp"], each["nonce"], body
                )
                self.assertEqual(signature, each["signature"])

    def test_encodes_every_byte_that_is_not_unreserved(self):
        for each in read("requests")["encodings"]:
            self.assertEqual(encode(each["text"]), each["encoded"])


class Callbacks(unittest.TestCase):
    def test_judges_as_the_documentation_says(self):
        for each in read("callbacks")["callbacks"]:
            with self.subTest(each["name"]):
                self.assertEqual(verdict_of(each), each["outcome"])

    def test_returns_the_event(self):
        genuine = read("callbacks")["callbacks"][0]
        event = verify_callback(
            genuine["secrets"], genuine["headers"], genuine["body"].encode(), now=genuine["now"]
        )
        self.assertEqual(event.id, genuine["headers"]["webhook-id"])
        self.assertEqual(event.type, "collection.paid")
        self.assertEqual(event.data["status"], "paid")

    def test_refuses_secrets_without_a_key_also_beside_a_good_one_and_for_any_callback(self):
        vectors = read("callbacks")
        genuine = vectors["callbacks"][0]
        for refused in vectors["refusedSecrets"]:
            with self.subTest(refused):
                with self.assertRaises(ValueError):
                    secrets = [*genuine["secrets"], refused]
                    verify_callback(secrets, genuine["headers"], genuine["body"].encode(), now=genuine["now"])
                with self.assertRaises(ValueError):
                    verify_callback(refused, {}, b"")

    def test_an_id_that_no_encoding_has_is_no_error_of_another_kind(self):
        genuine = read("callbacks")["callbacks"][0]
        callback = {**genuine, "headers": {**genuine["headers"], "webhook-id": "\udc80"}}
        self.assertEqual(verdict_of(callback), "no_matching_signature")


def verdict_of(callback) -> str:
    try:
        verify_callback(
            callback["secrets"], callback["headers"], callback["body"].encode(), now=callback["now"]
        )
    except CallbackVerificationError as error:
        return error.reason
    return "ok"


if __name__ == "__main__":
    unittest.main()
